import ArgumentParser
import BluethroatListening
import BluethroatStudies
import BluethroatTerminal
import BluethroatVersion
import Foundation

/// The `bluethroat` command.
@main
struct Bluethroat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluethroat",
        abstract: "Bluetooth LE that imitates devices so well that a central cannot tell them from the hardware.",
        discussion: """
            `bluethroat keyfob` puts a key fob on a virtual air and opens an HCI port, at which any Bluetooth host finds \
            a controller. The other commands are centrals on such a port, or on a real controller.

            Exit codes: 0 done, 1 the peer or the radio said no, 2 wrong usage, 3 nothing found in time.
            """,
        version: Version.text,
        subcommands: [
            KeyFobCommand.self, Scan.self, Inspect.self, Read.self, Write.self, Subscribe.self, Pair.self, Bonds.self,
            L2CAPCommand.self, AttachCommand.self, OverflowCommand.self,
            SensorTagCommand.self, IBeaconCommand.self, TextCommand.self, DeskCommand.self, LoginCommand.self,
            MoneyDropCommand.self, DeviceStudyCommand.self,
        ]
    )

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.prefix(2).contains("study") { StudyProcess.begin(StandardError.write, yield: StandardError.yield) }
        StandardInput.fillGaps()
        RawTerminal.leaveRoomForHelp()
        SecretMemory.leaveNoCoreDump()
        DescriptorLimit.raise()
        if let fault = SpareDescriptors.fault() ?? SpareThreads.fault() {
            StandardError.write(fault)
            leave(.refused)
        }
        await SpareDescriptors.openThoseOfDispatch()
        Signals.takeOver()
        do {
            var command = try parseCommand(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch { leave(after: error, arguments) }
        leave(.done)
    }

    /// A negative number behind an option is its value.
    static func parseCommand(_ arguments: [String]) throws -> any ParsableCommand {
        do { return try parseAsRoot(arguments) } catch {
            guard message(for: error).hasPrefix("Missing value") else { throw error }
            return try parseAsRoot(NegativeNumbers.joined(arguments))
        }
    }

    /// That the output is lost is no success.
    private static func leave(_ status: ExitStatus) -> Never {
        Foundation.exit((status == .done && StandardOutput.hasLost ? .refused : status).rawValue)
    }

    /// Help goes to standard output; everything else is one line on standard error.
    private static func leave(after error: any Error, _ arguments: [String]) -> Never {
        if let status = error as? ExitStatus { leave(status) }
        if exitCode(for: error) == .success, UsageError.unknown(in: self, arguments) == nil {
            StandardOutput.write(UsageExamples.added(to: fullMessage(for: error)))
            leave(.done)
        }
        StandardError.write(UsageError.line(message(for: error), of: self, arguments))
        leave(.wrongUsage)
    }
}
