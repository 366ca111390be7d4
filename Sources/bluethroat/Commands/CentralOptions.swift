import ArgumentParser
import HCITransports
import Host
import VirtualTime

/// What all centrals can be told.
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

    @Option(help: ArgumentHelp("Record what crosses this side's HCI, for Wireshark.", valueName: "file.pcapng"))
    var capture: String?

    @Option(help: ArgumentHelp("Record the same as btsnoop.", valueName: "file"))
    var btsnoop: String?

    @OptionGroup var bonds: BondOptions

    /// Runs what a command does with a central, hands the controller back, and says what went wrong if something did.
    /// `opener` is what to start where nobody listens.
    func run(
        _ use: CentralMemory.Use = .whatIsThere,
        encryptsBondedLinks: Bool = true,
        opener: String = HCITransportError.usualOpener,
        reporter own: Reporter? = nil,
        _ body: (Central, Reporter) async throws(CommandFailure) -> Void
    ) async throws(ExitStatus) {
        let reporter = own ?? Reporter(json: json)
        let central: Central
        do throws(CommandFailure) {
            let memory = try CentralMemory(use, bonds) { reporter.tell(.warning($0), at: .zero) }
            central = try await Central.open(hci, memory: memory, capturing: (capture, btsnoop), opener: opener) {
                $0.encryptsBondedLinks = encryptsBondedLinks
            } tell: {
                reporter.tell($0, at: $1)
            }
            central.pairingAdvice = pairingAdvice(for: "DEVICE")
        } catch {
            throw reporter.end(error)
        }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            try await body(central, reporter)
        } catch {
            failure = error.advised(central.security, pairing: central.pairingAdvice)
        }
        await central.close()
        // Whoever read the results has had enough of them.
        if failure == .interruption, StandardOutput.isBroken { return }
        if let failure {
            reporter.fail(failure, at: central.present)
            throw failure.status
        }
    }

    /// What to type in order to pair with a device on the same controller, with the same bonds.
    func pairingAdvice(for device: String) -> String {
        var words = ["bluethroat", "pair", device, "--bond"]
        if hci != .standard { words += ["--hci", "\(hci)"] }
        if let file = bonds.bonds { words += ["--bonds", file] }
        return words.map(Self.shellWord).joined(separator: " ")
    }

    /// A word as a shell takes it for one.
    private static func shellWord(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_./:,[]".utf8.contains(byte)
        }
        guard !isPlain || word.isEmpty else { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
