import ArgumentParser
import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatMoneyBank
import BluethroatMoneyDropWorld
import BluethroatMoneyTerms
import BluethroatTerminal

/// A bank by itself.
struct MoneyBankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bank",
        abstract: "A bank of play money over HTTP, until Control-C; or a look at its books."
    )

    @OptionGroup(title: "Bank") var bank: OwnBankOptions

    @Flag(help: "Add the books up, say what is wrong with them, and end; exit code 1 if anything is.")
    var audit = false

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    func validate() throws {
        if audit, bank.books == nil { throw ValidationError("--audit wants --books FILE") }
    }

    func run() async throws {
        do throws(OperationFailure) {
            let ledger = try bank.plan.ledger(mayBegin: !audit)
            guard !audit else { return try look(ledger) }
            let server = try await bank.plan.open(ledger)
            if json {
                var line = JSONLine(event: "bank")
                line.add("url", server.url)
                StandardOutput.write(line.text)
            } else {
                StandardOutput.write(
                    "The bank is open at \(server.url), its books are \(bank.books ?? "in memory: --books FILE keeps them")"
                )
            }
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            Signals.whenAsked { ask.finish() }
            for await _ in asked {}
            await server.server?.stop()
        } catch {
            throw error.written(json: json)
        }
    }

    private func look(_ ledger: Ledger) throws(OperationFailure) {
        let audit = try AuditEvent(ledger)
        if let text = json ? audit.json?.text : audit.line { StandardOutput.write(text) }
        if !audit.faults.isEmpty { throw OperationFailure(audit.faults.joined(separator: "; ")) }
    }
}
