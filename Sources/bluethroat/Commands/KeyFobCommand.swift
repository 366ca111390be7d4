import ArgumentParser
import HCITransports
import KeyFob

/// Puts a key fob on the air.
struct KeyFobCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyfob",
        abstract: "Put a key fob on a virtual air, or on a real controller: TI's, or a phone that plays one.",
        discussion: """
            At a terminal the keys l and r click the fob's buttons, a toggles advertising, q ends. Without a terminal \
            words are read from standard input, one a line: l, r, l down, l up, a, b PERCENT, t X Y Z, tg X Y Z, \
            d METRES, q. A phone (--personality phone) understands bluetooth on, bluetooth off, background, \
            foreground, about and back as well.

            Each connection to the HCI port gets a controller of its own on the same air.
            """
    )

    @Option(
        help: ArgumentHelp("Where hosts attach (default: 127.0.0.1:6402); port 0 picks one.", valueName: "host:port"),
        transform: { try HostPort(parsing: $0) }
    )
    var hciListen: HostPort?

    @Flag(help: "Let --hci-listen be reachable from other machines. There is no password: whoever comes is let in.")
    var exposeHci = false

    @Option(
        help: ArgumentHelp(
            "Run the fob on this controller instead: tcp:HOST:PORT, unix:PATH, pty:PATH, serial:DEVICE[,BAUD] or "
                + "user-channel:hci0.",
            valueName: "transport"
        ),
        transform: { try HCIEndpoint(parsing: $0) }
    )
    var controller: HCIEndpoint?

    @Option(
        help: ArgumentHelp(
            "What the world's randomness begins with (default: another each time). No bonds are kept then, unless "
                + "--bonds says where.",
            valueName: "n"
        )
    )
    var seed: UInt64?

    @Option(help: ArgumentHelp("How far the fob is from everybody else (default: 1).", valueName: "metres"))
    var distance: Double?

    @Option(help: ArgumentHelp("Record the air and all HCI, for Wireshark.", valueName: "file.pcapng"))
    var capture: String?

    @Option(help: ArgumentHelp("Record the fob's HCI as btsnoop.", valueName: "file"))
    var btsnoop: String?

    @Flag(help: "Wait for the right key (not of a phone), or for the word a, before advertising.")
    var wait = false

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    @Flag(help: "Let time pass only when the control panel's API says so: POST /api/world/advance.")
    var virtualTime = false

    @OptionGroup(title: "Control panel") var panel: PanelFlags

    @OptionGroup(title: "Pairing") var pairing: KeyFobPairingFlags
    @OptionGroup(title: "Pairing") var bonds: BondOptions

    @OptionGroup(title: "Which fob") var fob: KeyFobOptionFlags

    func validate() throws {
        if let distance, !distance.isFinite || distance < 0 {
            throw ValidationError("\(distance) is no distance; give metres, 0 or more")
        }
        if let hciListen, !hciListen.isLoopback, !exposeHci {
            throw ValidationError(
                "--hci-listen \(hciListen) can be reached from other machines, and has no password; add --expose-hci if "
                    + "that is what you want, or listen on 127.0.0.1"
            )
        }
        if let misplaced = fob.misplaced { throw ValidationError(misplaced) }
        if fob.personality == .phone, let flag = pairing.first {
            throw ValidationError("\(flag) is about TI's hardware; the app on the phone asks for no pairing")
        }
        #if !canImport(Phones)
            if fob.personality == .phone { throw ValidationError("phones are simulated on Linux only") }
        #endif
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
        if distance != nil {
            throw ValidationError("on a --controller the fob is where its radio is; leave out --distance")
        }
    }

    func run() async throws {
        let choice: FobChoice
        switch fob.personality {
        case .hardware:
            var options = fob.options(waits: wait)
            options.pairing = pairing.pairing
            choice = .hardware(options)
        case .phone: choice = .phone(fob.phone(waits: wait))
        }
        let session = KeyFobSession(
            seed: seed ?? .random(in: .min ... .max),
            fob: choice,
            radio: controller.map { .controller($0) }
                ?? .air(distance: distance ?? 1, listeningOn: hciListen ?? Self.standardAddress),
            isJSON: json,
            capture: capture,
            btsnoop: btsnoop,
            panel: panel.panel,
            isVirtual: virtualTime,
            bonds: bonds,
            keepsBonds: seed == nil || bonds.isExplicit
        )
        let status = await session.run()
        if status != .done { throw status }
    }

    private static let standardAddress = HostPort(host: "127.0.0.1", port: 6402)
}
