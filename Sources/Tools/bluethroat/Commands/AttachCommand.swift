import ArgumentParser
import BluethroatAttaching
import BluethroatEvents
import BluethroatHCITransports
import BluethroatLive
import BluethroatTerminal

/// Gives hosts controllers where they want them.
struct AttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Give this machine adapters, and other hosts lines and sockets, with controllers on a virtual air.",
        discussion: """
            sudo bluethroat attach --vhci --devices 2 makes two Bluetooth adapters, which bluetoothctl and all programs of \
            this machine can use. bluethroat attach --pty /tmp/hci makes a serial line for btattach -B /tmp/hci -P h4.

            The controllers are on the air of the command that runs at 127.0.0.1:6402 or --controller; if there is none, \
            or with an option of a world, on an air of their own, with an HCI port for others. All of it is gone with \
            Control-C. docs/hosts.md has the commands for each host.
            """
    )

    @Flag(help: "Make adapters of this machine's kernel, through \(VirtualAdapter.device).")
    var vhci = false

    @Option(help: ArgumentHelp("With --vhci: how many adapters, 1 to 16 (default: 1).", valueName: "n"))
    var devices: Int?

    @Option(
        help: ArgumentHelp("A serial line for each program that opens this; several times for more.", valueName: "path")
    )
    var pty: [String] = []

    @Option(help: ArgumentHelp("A socket for programs of your own user; several times for more.", valueName: "path"))
    var unix: [String] = []

    @OptionGroup(title: "World") var session: SessionOptions

    func validate() throws {
        if session.fast || session.virtualTime {
            throw ValidationError("hosts live in real time; leave out --fast and --virtual-time")
        }
        _ = try Attachments(vhci: vhci, devices: devices, pty: pty, unix: unix)
        if session.controller != nil, session.describesWorld {
            throw ValidationError("the air at --controller has its own seed, captures, panel; leave those options out")
        }
    }

    func run() async throws {
        let attachments = try Attachments(vhci: vhci, devices: devices, pty: pty, unix: unix)
        let air: Attachments.Air = session.controller.map { .at($0) } ?? (session.describesWorld ? .own : .runningOrOwn)
        do throws(OperationFailure) {
            let writer = LineWriter<AttachEvent>(isJSON: session.json, to: .standard)
            try await attachments.run(on: air, session.settings, writer) { events in
                Signals.whenAsked { events.end() }
            }
        } catch {
            throw error.written(json: session.json)
        }
    }
}
