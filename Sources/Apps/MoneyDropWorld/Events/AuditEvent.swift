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
        func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
        let counts = "\(count(audit.accounts, "account")), \(count(audit.transfers, "transfer"))"
        let held = audit.held.map(\.description).joined(separator: ", ")
        return "\(counts), \(audit.refusals) refused; "
            + (held.isEmpty ? "nobody has any money" : "the accounts have \(held) together, without the bank's own")
    }

    public var json: JSONLine? {
        var line = JSONLine(event: "audit")
        line.add("accounts", audit.accounts)
        line.add("transfers", audit.transfers)
        line.add("refusals", audit.refusals)
        line.add("held", audit.held.map(\.description))
        line.add("sums", audit.sums.map(\.description))
        line.add("faults", audit.faults)
        return line
    }
}
