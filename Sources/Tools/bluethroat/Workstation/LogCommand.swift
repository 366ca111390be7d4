import ArgumentParser
import BluethroatEvents
import BluethroatTerminal
import BluethroatWorkstationLogin
import BluethroatWorkstationWorld

/// A desk's files.
struct LogOptions: ParsableArguments {
    @Option(file: "The desk's key (default: bluethroat/desk-DIGITS.key in $XDG_STATE_HOME or ~/.local/state).")
    var key: String?

    @Option(file: "The log of logins, refusals and log-outs.")
    var log: String?

    @Option(file: "The log's head (default: the log's name with .head).")
    var logHead: String?

    func validate() throws { if logHead != nil, log == nil { throw ValidationError("--log-head wants --log FILE") } }

    var files: LoginFiles.DeskPaths { LoginFiles.DeskPaths(key: key, log: log, head: logHead) }
}

struct VerifyLog: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out whether a desk's log was changed, cut, reordered or added to: 0 if not, else 1."
    )

    @Option(help: ArgumentHelp("The desk's four digits.", valueName: "digits"), transform: LoginWords.desk)
    var id: DeskIdentifier

    @OptionGroup var files: LogOptions

    func run() throws {
        do throws(OperationFailure) { StandardOutput.write(try LoginFiles.verifyLog(of: id, files.files)) } catch {
            throw error.written(json: false)
        }
    }
}
