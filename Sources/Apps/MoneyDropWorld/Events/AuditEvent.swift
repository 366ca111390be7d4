public import BluethroatEvents
public import BluethroatMoneyBank
import BluethroatMoneyTerms

/// What the books of a bank add up to.
public struct AuditEvent: LiveSessionEvent {
    /// The sums.
    public let audit: Audit

    /// Adds the books up. Throws if they cannot be read.
    public init(_ ledger: Ledger) throws(OperationFailure) {
        do { audit = try ledger.audit() } catch { throw OperationFailure("the books cannot be read: \(error)") }
    }

    /// What is wrong with them, a line each.
    public var faults: [String] { audit.faults }

    public var line: String? {
        "\(audit.accounts) accounts, \(audit.transfers) transfers, \(audit.refusals) refused; all accounts "
            + "together have \(audit.sums.map(\.description).joined(separator: ", "))"
    }

    public var json: JSONLine? {
        var line = JSONLine(event: "audit")
        line.add("accounts", audit.accounts)
        line.add("transfers", audit.transfers)
        line.add("refusals", audit.refusals)
        line.add("sums", audit.sums.map(\.description))
        line.add("faults", audit.faults)
        return line
    }
}
