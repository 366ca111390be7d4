public import BluethroatEvents
package import BluethroatHCITransports
public import BluethroatMoneyBank
import BluethroatVirtualTime
import Foundation

/// A bank that is open: one of this process, or one that runs already.
public struct OpenBank: Sendable {
    /// Where it is, such as `http://127.0.0.1:6404`.
    public let url: String
    /// Nil where it is not of this process.
    public let server: BankServer?
    /// Its books; nil where it is not of this process.
    public let ledger: Ledger?
    /// Where its time and its numbers come from, where that is known.
    var source: BankSource?

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

    /// The same, with what its time comes from. In an asynchronous function `OpenBank(ledger)` is the one with a port.
    init(inWorld ledger: Ledger, _ source: BankSource) {
        self.init(ledger)
        self.source = source
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

/// A bank that a command opens.
package struct BankPlan: Sendable {
    /// The file of its books; nil for books in memory.
    package var books: String?
    /// What a new account gets, in whole units, 0 to 1,000,000,000; nil for 100.
    package var deposit: Int64?
    /// What an account may send in a day, in whole units; nil for no limit.
    package var dailyLimit: Int64?
    /// Where it listens.
    package var place: HostPort

    /// A bank in memory at the usual port, unless something else is said.
    package init(
        books: String? = nil,
        deposit: Int64? = nil,
        dailyLimit: Int64? = nil,
        place: HostPort? = nil
    ) {
        self.books = books
        self.deposit = deposit
        self.dailyLimit = dailyLimit
        self.place = place ?? HostPort(host: "127.0.0.1", port: 6404)
    }

    /// What is wrong with it, in one line; nil if nothing is.
    package var fault: String? {
        if let deposit, !(0...1_000_000_000).contains(deposit) { return "--deposit is from 0 to 1000000000" }
        if let dailyLimit, !(1...1_000_000_000).contains(dailyLimit) {
            return "--daily-limit is from 1 to 1000000000, in whole units; leave it out for no limit"
        }
        guard place.isLoopback else {
            return "--bank-listen \(place) can be reached from other machines, and the bank's door has no TLS; "
                + "listen on 127.0.0.1 and put a proxy with TLS before it"
        }
        return nil
    }

    /// Its books.
    ///
    /// - Parameters:
    ///   - mayBegin: whether there may be none as yet.
    ///   - source: where it has its time and its numbers from.
    package func ledger(mayBegin: Bool = true, source: BankSource = BankSource()) throws(OperationFailure) -> Ledger {
        var settings = source.settings
        if let deposit { settings.deposit = deposit }
        settings.limits.unitsPerDay = dailyLimit
        guard let books else { return Ledger(settings: settings) }
        do throws(LedgerError) {
            return try Ledger(path: books, settings: settings, mayBegin: mayBegin)
        } catch {
            throw OperationFailure("\(error)")
        }
    }

    /// Opens it for a session.
    ///
    /// - Parameters:
    ///   - hasPort: whether it listens; the apps of a world in virtual time ask its books themselves.
    ///   - isVirtual: whether its time is that of such a world.
    ///   - seed: what its keys and numbers follow from there; books in a file have those of the system all the same.
    package func open(hasPort: Bool, isVirtual: Bool, seed: UInt64?) async throws(OperationFailure) -> OpenBank {
        let source = BankSource(seed: isVirtual && books == nil ? seed : nil)
        if isVirtual { source.follow(.zero) }
        let ledger = try ledger(source: source)
        guard hasPort else { return OpenBank(inWorld: ledger, source) }
        var open = try await open(ledger)
        open.source = source
        return open
    }

    /// Opens its port, with books that are open.
    package func open(_ ledger: Ledger) async throws(OperationFailure) -> OpenBank {
        try await OpenBank(ledger, host: place.host, port: UInt16(clamping: place.port))
    }
}

extension OpenBank {
    /// What is wrong with the name of a bank that runs already, in one line; nil if nothing is.
    ///
    /// - Parameter mayBeInClear: whether what is said to it may go over a network unencrypted.
    package static func fault(in url: String, mayBeInClear: Bool) -> String? {
        guard HTTPBank(url, deliver: { _ in }) != nil else {
            return "--bank \(url) is no address of a bank; write it like http://127.0.0.1:6404"
        }
        guard !mayBeInClear, isInClear(url) else { return nil }
        return "--bank \(url) is on another machine and has no TLS, so that the account's secret would be sent for "
            + "everybody to read; name it with https://, or add --insecure-bank"
    }

    private static func isInClear(_ bank: String) -> Bool {
        guard let url = URL(string: bank), url.scheme == "http" else { return false }
        let host = (url.host ?? "").trimmingCharacters(in: ["[", "]"])
        return !HostPort(host: host, port: 0).isLoopback
    }
}
