import ArgumentParser
import BluethroatBluetoothValues
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatOverflowAnalyser
import BluethroatOverflowWorld
import BluethroatTerminal
import BluethroatVirtualTime

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
            (central, _) throws(OperationFailure) in
            var writer = OverflowFindingsWriter(
                OverflowAnalyser(analysis.settings),
                json: self.central.json,
                write: StandardOutput.write,
                hint: StandardError.hint
            )
            var failure: OperationFailure?
            do throws(OperationFailure) {
                try await central.listen(.allChannelsSlowly, for: patience) { report in
                    writer.hear(report, at: central.present)
                    return writer.analyser.isComplete(senders: devices)
                }
            } catch {
                failure = error
            }
            writer.end(at: central.present)
            guard !writer.analyser.isComplete(senders: devices) else { return }
            if failure == .interruption, writer.analyser.senders.isEmpty, let weakness = writer.weakness {
                throw OperationFailure("interrupted; \(weakness)")
            }
            if let failure, failure != .interruption || writer.analyser.senders.isEmpty { throw failure }
            if failure == nil { throw writer.shortfall(in: patience) }
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
