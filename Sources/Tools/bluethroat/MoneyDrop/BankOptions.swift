import ArgumentParser
import BluethroatEvents
import BluethroatHCITransports
import BluethroatMoneyBank
import BluethroatMoneyDropWorld
import BluethroatMoneyTerms
import Foundation

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
        guard HTTPBank(bank, deliver: { _ in }) != nil else {
            throw ValidationError("--bank \(bank) is no address of a bank; write it like http://127.0.0.1:6404")
        }
        if !insecureBank, OpenBank.isInClear(bank) {
            throw ValidationError(
                "--bank \(bank) is on another machine and has no TLS, so that the account's secret would be sent for "
                    + "everybody to read; name it with https://, or add --insecure-bank"
            )
        }
        if own.bankListen != nil || own.books != nil || own.deposit != nil {
            throw ValidationError(
                "--bank names a bank that runs already; leave out --bank-listen, --books and --deposit, or --bank"
            )
        }
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

    @Option(
        help: ArgumentHelp("The bank's books, an SQLite file; in memory if there is none.", valueName: "file")
    )
    var books: String?

    @Option(
        help: ArgumentHelp("The play money of a new account, in whole units (default: 100).", valueName: "n")
    )
    var deposit: Int64?

    func validate() throws {
        if let deposit, !(0...1_000_000_000).contains(deposit) {
            throw ValidationError("--deposit is from 0 to 1000000000")
        }
        if let bankListen, !bankListen.isLoopback {
            throw ValidationError(
                "--bank-listen \(bankListen) can be reached from other machines, and the bank's door has no TLS; "
                    + "listen on 127.0.0.1 and put a proxy with TLS before it"
            )
        }
    }

    func ledger(mayBegin: Bool = true) throws(OperationFailure) -> Ledger {
        try OpenBank.ledger(at: books, deposit: deposit, mayBegin: mayBegin)
    }

    func open(_ ledger: Ledger) async throws(OperationFailure) -> OpenBank {
        let place = bankListen ?? HostPort(host: "127.0.0.1", port: 6404)
        return try await OpenBank(ledger, host: place.host, port: UInt16(clamping: place.port))
    }
}

extension BankOptions {
    func open() async throws(OperationFailure) -> OpenBank {
        if let bank { return OpenBank(url: bank) }
        return try await own.open(own.ledger())
    }
}
