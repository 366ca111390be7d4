import ArgumentParser
import BluethroatEvents
import BluethroatHCITransports
import BluethroatMoneyDropWorld

/// Where the bank is, or what the one is like that the command brings along.
struct BankOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A bank that runs already, instead of one of this command's own.", valueName: "url"))
    var bank: String?

    @Flag(help: "Let --bank be on another machine without TLS: everybody on the way can take the account.")
    var insecureBank = false

    @OptionGroup var own: OwnBankOptions

    func validate() throws {
        guard let bank else {
            if insecureBank { throw ValidationError("--insecure-bank wants --bank URL") }
            return
        }
        if let fault = OpenBank.fault(in: bank, mayBeInClear: insecureBank) { throw ValidationError(fault) }
        if own.bankListen != nil || own.books != nil || own.deposit != nil || own.dailyLimit != nil {
            throw ValidationError(
                "--bank names a bank that runs already; leave out --bank-listen, --books, --deposit and --daily-limit, "
                    + "or --bank"
            )
        }
    }

    func open(for session: SessionOptions) async throws(OperationFailure) -> OpenBank {
        if let bank { return OpenBank(url: bank) }
        return try await own.plan.open(hasPort: !session.fast, isVirtual: session.isVirtual, seed: session.seed)
    }
}

/// A bank that a command opens.
struct OwnBankOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the bank listens (default: 127.0.0.1:6404); port 0 picks one.",
            valueName: "host:port"
        ),
        transform: { try HostPort(parsing: $0) }
    )
    var bankListen: HostPort?

    @Option(file: "The bank's books, an SQLite file; in memory if there is none.")
    var books: String?

    @Option(
        help: ArgumentHelp("The play money of a new account, in whole units (default: 100).", valueName: "n")
    )
    var deposit: Int64?

    @Option(
        help: ArgumentHelp("What an account may send in a day, in whole units (default: no limit).", valueName: "n")
    )
    var dailyLimit: Int64?

    var plan: BankPlan { BankPlan(books: books, deposit: deposit, dailyLimit: dailyLimit, place: bankListen) }

    func validate() throws {
        if let fault = plan.fault { throw ValidationError(fault) }
    }
}
