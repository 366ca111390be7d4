import ArgumentParser
import BluethroatControlPanel
import BluethroatEvents
import BluethroatHCITransports
import BluethroatKeyFobConsole
import BluethroatLive
import BluethroatLiveLoop
import BluethroatLiveWorld
import BluethroatTerminal

/// The options of all live worlds.
struct SessionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where hosts attach (default: 127.0.0.1:6402); port 0 picks one. At unix:PATH and pty:PATH, a serial line, "
                + "only programs of your own user can.",
            valueName: "host:port"
        ),
        transform: { try HCIListeningPlace(parsing: $0) }
    )
    var hciListen: HCIListeningPlace?

    @Flag(help: "Let --hci-listen be reachable from other machines. There is no password: whoever comes is let in.")
    var exposeHci = false

    @Flag(help: "Let who leaves the port vanish as if without power. Otherwise its connections are ended first.")
    var clientsVanish = false

    @Option(
        help: ArgumentHelp(
            "Run the device on this controller instead: tcp:HOST:PORT, unix:PATH, pty:PATH, serial:DEVICE[,BAUD] or "
                + "user-channel:hci0.",
            valueName: "transport"
        ),
        transform: { try HCIEndpoint(parsing: $0) }
    )
    var controller: HCIEndpoint?

    @Option(
        help: ArgumentHelp("What randomness begins with, 0 or more (default: another each time).", valueName: "n")
    )
    var seed: UInt64?

    @Option(file: "Record the air and all HCI, for Wireshark.", valueName: "file.pcapng")
    var capture: String?

    @Option(file: "Record the HCI of the first device as btsnoop.")
    var btsnoop: String?

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    @Flag(help: "Let time pass only when the control panel's API says so: POST /api/world/advance.")
    var virtualTime = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after so much of the world's time (default: when told to).", valueName: "seconds"),
        transform: { try Seconds(parsing: $0) }
    )
    var length: Seconds?

    @Flag(help: "Let time pass as fast as it can, up to the end of --for: without a port, a panel, and words.")
    var fast = false

    @OptionGroup(title: "Control panel") var panel: PanelFlags

    /// What to start where no process listens at the controller's address. No option of the command line.
    var opener = HCITransportError.usualOpener

    func validate() throws {
        if let hciListen = hciListen?.address, !hciListen.isLoopback, !exposeHci {
            throw ValidationError(
                "--hci-listen \(hciListen) can be reached from other machines, and has no password; add --expose-hci if "
                    + "that is what you want, or listen on 127.0.0.1"
            )
        }
        if virtualTime, panel.noPanel {
            throw ValidationError("with --virtual-time it is the panel that lets time pass; leave out --no-panel")
        }
        if fast, controller != nil || hciListen != nil || virtualTime || panel.panelListen != nil {
            throw ValidationError(
                "with --fast nobody can come; leave out --controller, --hci-listen, --panel-listen and --virtual-time"
            )
        }
        guard controller != nil else { return }
        if virtualTime {
            throw ValidationError("a --controller lives in real time; leave out --virtual-time")
        }
        if hciListen != nil {
            throw ValidationError("on a --controller nothing listens; leave out --hci-listen")
        }
    }

    /// The settings of the session.
    var settings: LiveSessionSettings {
        var settings = LiveSessionSettings(onController: controller, orListeningOn: hciListen)
        settings.clientsVanish = clientsVanish
        settings.seed = seed
        settings.captures = CaptureFiles(pcapng: capture, btsnoop: btsnoop)
        settings.isVirtual = virtualTime
        settings.length = length?.span
        settings.isFast = fast
        settings.panel = panel.panel
        settings.opener = opener
        return settings
    }

    /// Whether something is said of a world that a command that joins another's does not have.
    var describesWorld: Bool {
        hciListen != nil || seed != nil || capture != nil || btsnoop != nil || clientsVanish || panel.panelListen != nil
    }

    /// Whether time is not that of people.
    var isVirtual: Bool { virtualTime || fast }

    /// The seed, or another one each time.
    var someSeed: UInt64 { seed ?? .random(in: .min ... .max) }

    /// For commands that are of no use alone: by default they join the air that `opener`, a command, has put at the
    /// usual port.
    func joining(_ opener: String) -> Self {
        var joined = self
        joined.opener = opener
        guard controller == nil, hciListen == nil, !isVirtual else { return joined }
        joined.controller = .standard
        // The panel belongs to the process that has the port.
        if joined.panel.panelListen == nil { joined.panel.noPanel = true }
        return joined
    }
}

extension SessionOptions {
    /// Runs a live session until its user ends it, and ends the command with an exit code if it cannot go on.
    func run<System: LiveSystem, Event>(
        _ writer: some OutputWriter<Event>,
        parts: [PanelPart<System>] = [],
        hasPhones: Bool = true,
        make: (sending LiveSession, EventSink<Event>) throws(OperationFailure) -> sending System,
        whenLive live: (LiveLoop<System>, EventSink<Event>) -> Void = { _, _ in }
    ) async throws(ExitStatus) {
        let runner = LiveSessionRunner<System, Event>(settings, parts: parts, hasPhones: hasPhones)
        do throws(OperationFailure) {
            try await runner.run(
                writer,
                make: make,
                whenOpened: { events in Signals.whenAsked { events.end() } },
                whenLive: live,
                while: { !StandardOutput.isBroken }
            )
        } catch {
            throw error.written(json: json)
        }
    }
}

extension OperationFailure {
    /// Writes the line, and with `--json` the object; the exit code to end with.
    func written(json: Bool) -> ExitStatus {
        if json { StandardOutput.write(KeyFobJSON.error(message, at: time)) }
        StandardError.write(message)
        return status
    }
}
