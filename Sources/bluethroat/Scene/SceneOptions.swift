import ArgumentParser
import HCITransports

/// What can be said of any live world, whoever plays in it.
struct SceneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where hosts attach (default: 127.0.0.1:6402); port 0 picks one. At unix:PATH only programs of your own user "
                + "can.",
            valueName: "host:port"
        ),
        transform: { try HCIListeningPlace(parsing: $0) }
    )
    var hciListen: HCIListeningPlace?

    @Flag(help: "Let --hci-listen be reachable from other machines. There is no password: whoever comes is let in.")
    var exposeHci = false

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
        help: ArgumentHelp("What the world's randomness begins with (default: another each time).", valueName: "n")
    )
    var seed: UInt64?

    @Option(help: ArgumentHelp("Record the air and all HCI, for Wireshark.", valueName: "file.pcapng"))
    var capture: String?

    @Option(help: ArgumentHelp("Record the HCI of the first device as btsnoop.", valueName: "file"))
    var btsnoop: String?

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    @Flag(help: "Let time pass only when the control panel's API says so: POST /api/world/advance.")
    var virtualTime = false

    @OptionGroup(title: "Control panel") var panel: PanelFlags

    /// What to start where nobody listens at the controller's address. Nothing that can be typed.
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
        guard controller != nil else { return }
        if virtualTime {
            throw ValidationError("a --controller lives in real time; leave out --virtual-time")
        }
        if hciListen != nil {
            throw ValidationError("on a --controller nothing listens; leave out --hci-listen")
        }
    }

    /// Where the first device is to be.
    var place: ScenePlace { controller.map { .controller($0) } ?? .air(listeningOn: hciListen ?? Self.standardAddress) }

    /// For commands that are of no use alone: unless somebody has said where, they join the air that `opener`, a command,
    /// has put at the usual port.
    func joining(_ opener: String) -> Self {
        guard controller == nil, hciListen == nil, !virtualTime else { return self }
        var joined = self
        joined.controller = .standard
        joined.opener = opener
        // The panel is that of whoever has the port.
        if joined.panel.panelListen == nil { joined.panel.noPanel = true }
        return joined
    }

    private static let standardAddress = HCIListeningPlace.tcp(HostPort(host: "127.0.0.1", port: 6402))
}

/// Where the radio of the first device in a scene is.
enum ScenePlace {
    /// On the world's own air, with a port at which hosts find controllers.
    case air(listeningOn: HCIListeningPlace)
    /// A controller elsewhere.
    case controller(HCIEndpoint)
}
