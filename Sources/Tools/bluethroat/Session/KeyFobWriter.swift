import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatKeyFobWorld
import BluethroatLive
import BluethroatTerminal
import BluethroatVirtualTime

/// Writes what key fobs do: at a terminal as a picture of them, whose keys are taken over for that.
final class KeyFobWriter: OutputWriter {
    private let isJSON: Bool
    private var terminal: RawTerminal?
    private var text: KeyFobEventText

    init(_ text: KeyFobEventText, isJSON: Bool) {
        self.text = text
        self.isJSON = isJSON
    }

    /// Whether keys come one by one.
    var takesKeys: Bool { terminal != nil }

    func begin(_ place: RadioPlace, _ events: EventSink<KeyFobWorldEvent>) {
        terminal = isJSON ? nil : RawTerminal()
        if terminal != nil {
            Signals.whenResized { events.emit(.resized(width: RawTerminal.width)) }
        }
        write(text.begin(place, mode))
    }

    private var mode: KeyFobOutput.Mode {
        if isJSON { return .json }
        guard terminal != nil else { return .plain }
        return .terminal(width: RawTerminal.width, colours: StandardOutput.takesColours)
    }

    func write(_ event: KeyFobWorldEvent) throws(OperationFailure) { write(try text.write(event)) }

    func fail(_ message: String, at now: Instant) { write(text.fail(message, at: now)) }

    func warn(_ message: String) { write(text.warn(message)) }

    func panel(_ url: String, token: String) { write(text.panel(url, token: token)) }

    func misbehaved(_ message: String) {
        if terminal == nil, !isJSON { StandardError.hint(message) }
    }

    func hint(_ message: String) { StandardError.hint(message) }

    func end() {
        write(text.end())
        terminal?.restore()
    }

    private func write(_ text: KeyFobOutput.Text) {
        if !text.output.isEmpty { StandardOutput.writeBytes(text.output) }
        if !text.error.isEmpty { StandardError.writeBytes(text.error) }
    }
}
