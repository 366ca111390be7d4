import ArgumentParser
import BluetoothValues
import Host
import KeyFobConsole
import OverflowAnalyser
import VirtualTime

/// Learns from the air how services become bits.
struct OverflowAnalyseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyse",
        abstract: "Find out from the air alone which service sets which bit of the overflow area.",
        discussion: """
            Listens to phones that advertise every service, one a second (bluethroat overflow demo --mode sequential), until \
            all 128 bits of one are known; that takes two minutes. Begin to listen before they begin to send.
            """
    )

    @OptionGroup var analysis: OverflowAnalysisOptions

    @Option(help: ArgumentHelp("Until the bits of so many phones are known.", valueName: "n"))
    var devices = 1

    @Option(
        help: ArgumentHelp("How long to listen (default: 600).", valueName: "seconds"),
        transform: { try Seconds(parsing: $0) }
    )
    var timeout: Seconds?

    @OptionGroup var central: CentralOptions

    func validate() throws {
        guard (1...100).contains(devices) else { throw ValidationError("--devices \(devices) is not from 1 to 100") }
    }

    func run() async throws {
        let patience = timeout?.span ?? .seconds(600)
        try await central.run(opener: "bluethroat overflow demo --mode sequential") {
            (central, _) throws(CommandFailure) in
            var teller = OverflowFindingsTeller(OverflowAnalyser(analysis.settings), json: self.central.json)
            try await central.order { host, now, actions throws(OrderError) in
                try host.startScanning(.allChannelsSlowly, at: now, into: &actions)
            }
            var failure: CommandFailure?
            do throws(CommandFailure) {
                _ = try await central.wait(for: patience) { event throws(CommandFailure) in
                    switch event {
                    case .advertisingReport(let report):
                        teller.hear(report, at: central.present)
                        return teller.analyser.isComplete(senders: devices) ? () : nil
                    case .scanningEnded(.refused(let error)):
                        throw CommandFailure("the controller refused to scan: \(error)", hciError: error.rawValue)
                    default: return nil
                    }
                }
            } catch {
                failure = error
            }
            teller.end(at: central.present)
            guard !teller.analyser.isComplete(senders: devices) else { return }
            if failure == .interruption, teller.analyser.senders.isEmpty, let weakness = teller.weakness {
                throw CommandFailure("interrupted; \(weakness)")
            }
            if let failure, failure != .interruption || teller.analyser.senders.isEmpty { throw failure }
            if failure == nil { throw teller.shortfall(in: patience) }
        }
    }
}

/// What counts for an analyser.
struct OverflowAnalysisOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only what is louder counts, in dBm; -128 takes all.", valueName: "dBm")
    )
    var rssi = -45

    @Option(help: ArgumentHelp("The time between two services, in seconds.", valueName: "seconds"))
    var step = 1.0

    @Option(
        help: ArgumentHelp(
            "The number of the first service, in hexadecimal (default: 0).",
            valueName: "hex"
        ),
        transform: { text in
            guard let number = UInt64(text, radix: 16) else {
                throw ValidationError("\(text) is no number of up to 16 hexadecimal digits")
            }
            return number
        }
    )
    var first: UInt64 = 0

    func validate() throws {
        guard (-128...20).contains(rssi) else { throw ValidationError("--rssi \(rssi) is not from -128 to 20") }
        guard step.isFinite, (0.1...3_600).contains(step) else {
            throw ValidationError("--step is from 0.1 to 3600 seconds")
        }
    }

    var settings: OverflowAnalyser.Settings {
        var settings = OverflowAnalyser.Settings()
        settings.floor = rssi == -128 ? nil : rssi
        settings.step = step
        settings.longestStep = 1.7 * step
        settings.first = first
        return settings
    }
}

extension ScanParameters {
    /// Ten seconds on each channel, so that little is missed between two of them.
    static let allChannelsSlowly = Self(
        active: false,
        timing: ScanTiming(intervalSteps: 0x4000, windowSteps: 0x4000) ?? .continuous
    )
}
