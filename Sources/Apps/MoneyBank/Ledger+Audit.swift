public import BluethroatMoneyTerms
internal import GRDB

/// What the books add up to.
public struct Audit: Hashable, Sendable, Codable {
    /// All accounts together, the bank's own among them: never changes once there is an account in the currency.
    public var sums: [Money]
    /// What was given to people: all accounts but the bank's own, from which the first deposits come.
    public var held: [Money]
    public var accounts: Int
    /// Transfers that were made, without the first deposits, and those that were refused.
    public var transfers: Int
    public var refusals: Int
    /// What is wrong, a sentence each; nothing in books that are sound.
    public var faults: [String]
}

extension Ledger {
    /// Adds everything up anew.
    public func audit() throws -> Audit {
        try queue.read { database in
            let sums = try Row.fetchAll(
                database,
                // The bank's own accounts have no secret.
                sql: """
                    SELECT currency, SUM(balance) AS balance, SUM(opening) AS opening,
                        COALESCE(SUM(balance) FILTER (WHERE secretHash != x''), 0) AS held
                    FROM account GROUP BY currency
                    """
            )
            var faults = try String.fetchAll(
                database,
                sql: """
                    SELECT 'account ' || id || ' has ' || balance || ', its entries add up to '
                        || (opening + (SELECT COALESCE(SUM(amount), 0) FROM entry WHERE account = account.id))
                    FROM account
                    WHERE balance < 0 OR balance
                        != opening + (SELECT COALESCE(SUM(amount), 0) FROM entry WHERE entry.account = account.id)
                    UNION ALL
                    SELECT 'account ' || id || ' began with ' || opening || ', which nobody has paid' FROM account
                    WHERE opening != CASE WHEN secretHash = x'' THEN \(Self.capital) ELSE 0 END
                    UNION ALL
                    SELECT 'transfer ' || id || ' has entries that do not add up' FROM transfer
                    WHERE (SELECT COUNT(*) FROM entry WHERE entry.transfer = number) != (refusal IS NULL) * 2
                        OR refusal IS NULL AND (
                            (SELECT amount FROM entry WHERE entry.transfer = number AND account = payer) IS NOT -amount
                            OR (SELECT amount FROM entry WHERE entry.transfer = number AND account = payee) IS NOT amount
                        )
                    """
            )
            for row in sums where row["balance"] != row["opening"] as Int64 {
                faults.append("\(row["currency"] as String): all accounts have \(row["balance"] as Int64) minor units")
            }
            let counts = try Row.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FILTER (WHERE refusal IS NULL AND digest != x'') AS made,
                        COUNT(refusal) AS refused FROM transfer
                    """
            )
            return Audit(
                sums: sums.compactMap { row in
                    Currency(row["currency"]).map { Money(minorUnits: row["balance"], $0) }
                },
                held: sums.compactMap { row in
                    Currency(row["currency"]).map { Money(minorUnits: row["held"], $0) }
                },
                accounts: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM account WHERE secretHash != x''") ?? 0,
                transfers: counts?["made"] ?? 0,
                refusals: counts?["refused"] ?? 0,
                faults: faults
            )
        }
    }
}
