import ArgumentParser
import HCITransports
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

    /// Runs what a command does with a central, hands the controller back, and says what went wrong if something did.
    func run(
        _ body: (Central, Reporter) async throws(CommandFailure) -> Void
    ) async throws(ExitStatus) {
        let reporter = Reporter(json: json)
        let central: Central
        do throws(CommandFailure) {
            central = try await Central.open(hci) { reporter.tell($0, at: $1) }
        } catch {
            reporter.fail(error, at: .zero)
            throw error.status
        }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            try await body(central, reporter)
        } catch {
            failure = error
        }
        await central.close()
        // Whoever read the results has had enough of them.
        if failure == .interruption, StandardOutput.isBroken { return }
        if let failure {
            reporter.fail(failure, at: central.present)
            throw failure.status
        }
    }
}
