import Host
import KeyFob
import KeyFobConsole
import VirtualTime

/// Writes what a key fob does: at a terminal as a picture of it, whose keys are taken over for that.
final class KeyFobTeller: SceneTeller {
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

    func begin(_ radio: KeyFobOutput.Radio, _ voice: SceneVoice<KeyFobHappening>) {
        self.radio = radio
        terminal = isJSON ? nil : RawTerminal()
        let isOnAir = if case .air = radio { true } else { false }
        output = KeyFobOutput(mode, of: fob.vocabulary, radio: radio, distance: isOnAir ? distance : nil)
        if let terminal {
            Signals.beforeForcedEnd { terminal.restore() }
            Signals.whenResized { voice.tell(.resized(width: RawTerminal.width)) }
        }
        if isOnAir { write(output.begin(address: fob.address)) }
    }

    private var mode: KeyFobOutput.Mode {
        if isJSON { return .json }
        guard terminal != nil else { return .plain }
        return .terminal(width: RawTerminal.width, colours: StandardOutput.takesColours)
    }

    func tell(_ happening: KeyFobHappening) throws(CommandFailure) {
        switch happening {
        case .named(let address): write(output.begin(address: address))
        case .changed(let notices):
            if let fatal = fatal(notices) { throw fatal }
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

    func end() {
        write(output.end())
        terminal?.restore()
    }

    /// A radio that fails ends the fob, except that a host restarts a controller which has reported a defect.
    private func fatal(_ notices: [FobNotice]) -> CommandFailure? {
        for notice in notices {
            switch notice.change {
            case .fob(.radioFailed(.hardwareError)): continue
            case .fob(.radioFailed(let failure)):
                return CommandFailure("\(radio.transport) cannot be used: \(failure)", time: notice.time)
            default: continue
            }
        }
        return nil
    }

    private func write(_ text: KeyFobOutput.Text) {
        if !text.output.isEmpty { StandardOutput.writeBytes(text.output) }
        if !text.error.isEmpty { StandardError.writeBytes(text.error) }
    }
}

extension KeyFobOutput.Radio {
    /// The place alone.
    var transport: String {
        switch self {
        case .air(let place), .controller(let place): place
        }
    }
}
