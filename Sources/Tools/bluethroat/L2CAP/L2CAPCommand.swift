import ArgumentParser
import BluethroatBluetoothValues
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatTerminal
import BluethroatVirtualTime

/// L2CAP channels from the command line.
struct L2CAPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "l2cap",
        abstract: "Carry standard input and output over an L2CAP channel.",
        discussion: """
            The end of standard input closes the channel when all has been sent; with --no-input the peer closes it. \
            Progress, and with --json one object a line, goes to standard error.
            """,
        subcommands: [Listen.self, Connect.self]
    )

    /// Waits for a peer.
    struct Listen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Advertise, and wait for a peer that opens a channel."
        )

        @Option(help: "The name to advertise, 26 bytes at most.")
        var name = "Bluethroat"

        @Option(
            help: ArgumentHelp("The service's number (default: the first free one from 0x0080).", valueName: "psm"),
            transform: { try SPSM(parsing: $0) }
        )
        var psm: SPSM?

        @OptionGroup var radio: RadioOptions
        @OptionGroup var terms: ChannelTerms
        @OptionGroup var central: CentralOptions

        func validate() throws {
            if let fault = AdvertisedName.fault(in: name, upTo: 26) { throw ValidationError(fault) }
        }

        func run() async throws {
            let reporter = CentralEventWriter.besideData(json: central.json)
            try await central.run(reporter: reporter) { (central, _) throws(OperationFailure) in
                let channel = try await central.awaitChannel(psm, named: name, terms.options)
                try await central.ask(for: radio.phy)
                try await terms.carry(channel, central, json: self.central.json)
            }
        }
    }

    /// Goes to a peer.
    struct Connect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Connect to a device and open a channel to one of its services."
        )

        @OptionGroup var target: DeviceOptions

        @Option(help: SPSM.help, transform: { try SPSM(parsing: $0) })
        var psm: SPSM

        @OptionGroup var terms: ChannelTerms
        @OptionGroup var central: CentralOptions

        func run() async throws {
            let reporter = CentralEventWriter.besideData(json: central.json)
            try await central.run(reporter: reporter) { (central, _) throws(OperationFailure) in
                try await target.connect(central, self.central)
                let channel = try await central.openChannel(psm, terms.options)
                try await terms.carry(channel, central, json: self.central.json)
            }
        }
    }
}
