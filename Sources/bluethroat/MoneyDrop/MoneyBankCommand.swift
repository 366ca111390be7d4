#if canImport(Phones)
    import ArgumentParser
    import KeyFobConsole
    import MoneyBank
    import MoneyTerms

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
            do throws(CommandFailure) {
                let ledger = try bank.ledger()
                guard !audit else { return try look(ledger) }
                let server = try await bank.open(ledger)
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
                await server.stop()
            } catch {
                throw error.leave(isJSON: json)
            }
        }

        private func look(_ ledger: Ledger) throws(CommandFailure) {
            let audit: Audit
            do {
                audit = try ledger.audit()
            } catch {
                throw CommandFailure("the books cannot be read: \(error)")
            }
            if json {
                var line = JSONLine(event: "audit")
                line.add("accounts", audit.accounts)
                line.add("transfers", audit.transfers)
                line.add("refusals", audit.refusals)
                line.add("sums", audit.sums.map(\.description))
                line.add("faults", audit.faults)
                StandardOutput.write(line.text)
            } else {
                StandardOutput.write(
                    "\(audit.accounts) accounts, \(audit.transfers) transfers, \(audit.refusals) refused; all accounts "
                        + "together have \(audit.sums.map(\.description).joined(separator: ", "))"
                )
            }
            if !audit.faults.isEmpty { throw CommandFailure(audit.faults.joined(separator: "; ")) }
        }
    }
#endif
