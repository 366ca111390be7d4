import HCITransports
import Host
import KeyFob
import KeyFobConsole
import LiveLoop
import VirtualTime

extension KeyFobSession {
    /// Reads words and writes what happens until somebody wants an end. Throws if the radio makes one.
    func converse(
        _ live: LiveLoop<KeyFobWorld>,
        _ ends: KeyFobEnds,
        _ happenings: AsyncStream<KeyFobHappening>,
        _ happened: AsyncStream<KeyFobHappening>.Continuation
    ) async throws(CommandFailure) {
        let terminal = isJSON ? nil : RawTerminal()
        var output = KeyFobOutput(mode(terminal), of: fob.vocabulary, radio: ends.radio, distance: ends.distance)
        if let terminal {
            Signals.beforeForcedEnd { terminal.restore() }
            Signals.whenResized { happened.yield(.resized(width: RawTerminal.width)) }
        }
        defer {
            write(output.end())
            terminal?.restore()
        }
        if case .air = ends.radio { write(output.begin(address: fob.address)) }
        StandardInput.read(KeyFobInput(terminal == nil ? .lines : .keys, of: fob.vocabulary)) { item in
            live.post { $0.obey(item) }
        }

        for await happening in happenings {
            switch happening {
            case .named(let address): write(output.begin(address: address))
            case .changed(let notices):
                if let fatal = fatal(notices, ends) { throw fatal }
                write(output.changed(notices))
            case .obeyed(let word): write(output.obeyed(word, chip: fob.accelerometerChip))
            case .failed(let message, let now): write(output.failed(message, at: now))
            case .warned(let message): write(output.warned(message))
            case .panelServed(let url): write(output.panel(url))
            case .resized(let width): write(output.resized(width: width))
            case .clientLost(let peer, let end):
                if end.isMisbehaviour, terminal == nil, !isJSON { StandardError.hint("\(peer): \(end)") }
            case .controllerLost(let end, let now):
                throw CommandFailure("\(ends.radio.transport): \(end)", time: now)
            case .askedToEnd: return
            }
        }
    }

    private func mode(_ terminal: RawTerminal?) -> KeyFobOutput.Mode {
        if isJSON { return .json }
        guard terminal != nil else { return .plain }
        return .terminal(width: RawTerminal.width, colours: StandardOutput.takesColours)
    }

    /// A radio that fails ends the fob, except that a host restarts a controller which has reported a defect.
    private func fatal(_ notices: [FobNotice], _ ends: KeyFobEnds) -> CommandFailure? {
        for notice in notices {
            switch notice.change {
            case .fob(.radioFailed(.hardwareError)): continue
            case .fob(.radioFailed(let failure)):
                return CommandFailure("\(ends.radio.transport) cannot be used: \(failure)", time: notice.time)
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
