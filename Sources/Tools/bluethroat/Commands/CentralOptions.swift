import ArgumentParser
import BluethroatCentral
import BluethroatEvents
import BluethroatHCITransports
import BluethroatHost
import BluethroatLiveWorld
import BluethroatTerminal
import BluethroatVirtualTime

/// The options of all centrals.
struct CentralOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The controller: tcp:HOST:PORT, unix:PATH, pty:PATH, serial:DEVICE[,BAUD] or user-channel:hci0.",
            valueName: "transport"
        ),
        transform: { try HCIEndpoint(parsing: $0) }
    )
    var hci = HCIEndpoint.standard

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    @Option(file: "Record what crosses this side's HCI, for Wireshark.", valueName: "file.pcapng")
    var capture: String?

    @Option(file: "Record the same as btsnoop.")
    var btsnoop: String?

    @OptionGroup var bonds: BondOptions

    /// Runs what a command does with a central, releases the controller, and reports a failure if there is one.
    /// `opener` is what to start where no process listens.
    func run(
        _ use: CentralMemory.Use = .whatIsThere,
        encryptsBondedLinks: Bool = true,
        opener: String = HCITransportError.usualOpener,
        reporter own: CentralEventWriter? = nil,
        _ body: (Central, CentralEventWriter) async throws(OperationFailure) -> Void
    ) async throws(ExitStatus) {
        let reporter = own ?? CentralEventWriter(json: json)
        let central: Central
        do throws(OperationFailure) {
            let memory = try CentralMemory(use, in: bonds.file) { reporter.write(.warning($0), at: .zero) }
            central = try await Central.open(
                hci,
                memory: memory,
                capturing: CaptureFiles(pcapng: capture, btsnoop: btsnoop),
                opener: opener,
                person: PersonAtTerminal(),
                configure: { $0.encryptsBondedLinks = encryptsBondedLinks },
                whenOpened: { interrupt in Signals.whenAsked(interrupt) },
                emit: { reporter.write($0, at: $1) }
            )
            central.pairingAdvice = pairingAdvice(for: "DEVICE")
        } catch {
            throw reporter.end(error)
        }
        var failure: OperationFailure?
        do throws(OperationFailure) {
            try await body(central, reporter)
        } catch {
            failure = error.advised(central.security, pairing: central.pairingAdvice)
        }
        await central.close()
        // The reader of the results has closed the pipe.
        if failure == .interruption, StandardOutput.isBroken { failure = nil }
        if let failure = failure ?? central.captureFailure {
            reporter.fail(failure, at: central.present)
            throw failure.status
        }
    }

    /// What to type in order to pair with a device on the same controller, with the same bonds.
    func pairingAdvice(for device: String) -> String {
        var words = ["bluethroat", "pair", device, "--bond"]
        if hci != .standard { words += ["--hci", "\(hci)"] }
        if let file = bonds.bonds { words += ["--bonds", file] }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }
}

/// The user at standard input answers what pairing asks.
private struct PersonAtTerminal: PairingPerson {
    var isInteractive: Bool { StandardInput.isTerminal }
    func readLines(_ heard: @escaping @Sendable (String?) -> Void) { StandardInput.readLines(heard) }
    func prompt(_ text: String) { StandardError.prompt(text) }
    func endPrompt(isAnswered: Bool) { StandardError.endPrompt(isAnswered: isAnswered) }
}
