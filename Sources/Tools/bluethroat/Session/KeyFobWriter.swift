import BluethroatEvents
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatKeyFobWorld
import BluethroatLive
import BluethroatTerminal
import BluethroatVirtualTime

/// Writes what a key fob does: at a terminal as a picture of it, whose keys are taken over for that.
final class KeyFobWriter: OutputWriter {
    private let fob: FobChoice
    private let distance: Double
    private let isJSON: Bool
    private var terminal: RawTerminal?
    private var radio = KeyFobOutput.Radio.air(listeningOn: "")
    private var output: KeyFobOutput

    init(_ fob: FobChoice, distance: Double, isJSON: Bool) {
        self.fob = fob
        self.distance = distance
        self.isJSON = isJSON
        output = KeyFobOutput(.plain, of: fob.vocabulary, radio: radio, distance: nil)
    }

    /// Whether keys come one by one.
    var takesKeys: Bool { terminal != nil }

    func begin(_ place: RadioPlace, _ events: EventSink<KeyFobWorldEvent>) {
        radio = KeyFobOutput.Radio(place)
        terminal = isJSON ? nil : RawTerminal()
        let isOnAir = if case .air = radio { true } else { false }
        output = KeyFobOutput(mode, of: fob.vocabulary, radio: radio, distance: isOnAir ? distance : nil)
        if let terminal {
            Signals.beforeForcedEnd { terminal.restore() }
            Signals.whenResized { events.emit(.resized(width: RawTerminal.width)) }
        }
        if isOnAir { write(output.begin(address: fob.address)) }
    }

    private var mode: KeyFobOutput.Mode {
        if isJSON { return .json }
        guard terminal != nil else { return .plain }
        return .terminal(width: RawTerminal.width, colours: StandardOutput.takesColours)
    }

    func write(_ event: KeyFobWorldEvent) throws(OperationFailure) {
        switch event {
        case .named(let address): write(output.begin(address: address))
        case .changed(let notices):
            if let fatal = event.failure(of: radio) { throw fatal }
            write(output.changed(notices))
        case .obeyed(let word): write(output.obeyed(word, chip: fob.accelerometerChip))
        case .failed(let message, let now): fail(message, at: now)
        case .resized(let width): write(output.resized(width: width))
        case .askedToEnd: break
        }
    }

    func fail(_ message: String, at now: Instant) { write(output.failed(message, at: now)) }

    func warn(_ message: String) { write(output.warned(message)) }

    func panel(_ url: String, token: String) { write(output.panel(url, token: token)) }

    func misbehaved(_ message: String) {
        if terminal == nil, !isJSON { StandardError.hint(message) }
    }

    func hint(_ message: String) { StandardError.hint(message) }

    func end() {
        write(output.end())
        terminal?.restore()
    }

    private func write(_ text: KeyFobOutput.Text) {
        if !text.output.isEmpty { StandardOutput.writeBytes(text.output) }
        if !text.error.isEmpty { StandardError.writeBytes(text.error) }
    }
}
