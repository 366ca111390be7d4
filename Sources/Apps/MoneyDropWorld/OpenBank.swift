public import BluethroatEvents
import BluethroatHCITransports
public import BluethroatMoneyBank
import Foundation

/// A bank that is open: one of this process, or one that runs already.
public struct OpenBank: Sendable {
    /// Where it is, such as `http://127.0.0.1:6404`.
    public let url: String
    /// Nil where it is not of this process.
    public let server: BankServer?
    /// Its books; nil where it is not of this process.
    public let ledger: Ledger?

    /// A bank that runs already.
    public init(url: String) {
        self.url = url
        server = nil
        ledger = nil
    }

    /// A bank without a port, for a world in virtual time, whose apps ask the books themselves.
    public init(_ ledger: Ledger) {
        url = "virtual:"
        server = nil
        self.ledger = ledger
    }

    /// Opens a bank over HTTP. Port 0 picks a free one.
    public init(_ ledger: Ledger, host: String = "127.0.0.1", port: UInt16 = 6404) async throws(OperationFailure) {
        do throws(BankServer.Failure) {
            let server = try await BankServer.start(BankDesk(ledger), host: host, port: port)
            url = server.url
            self.server = server
            self.ledger = ledger
        } catch {
            throw OperationFailure(error.description)
        }
    }
}

extension OpenBank {
    /// A bank's books: in a file, or in memory where there is no path. A new account gets the deposit, in whole units.
    package static func ledger(at path: String?, deposit: Int64?, mayBegin: Bool) throws(OperationFailure) -> Ledger {
        var settings = BankSettings()
        if let deposit { settings.deposit = deposit }
        guard let path else { return Ledger(settings: settings) }
        do throws(LedgerError) {
            return try Ledger(path: path, settings: settings, mayBegin: mayBegin)
        } catch {
            throw OperationFailure("\(error)")
        }
    }

    /// Whether what is said to the bank at this URL goes over a network unencrypted.
    package static func isInClear(_ bank: String) -> Bool {
        guard let url = URL(string: bank), url.scheme == "http" else { return false }
        let host = (url.host ?? "").trimmingCharacters(in: ["[", "]"])
        return !HostPort(host: host, port: 0).isLoopback
    }
}
