internal import BluethroatMoneyTerms
internal import Foundation
internal import GRDB

extension Ledger {
    /// Tokens that are past by so many seconds are forgotten; until then a payment to one is refused as too old.
    private static let memory: Int64 = 3_600

    /// - Parameter id: of the token; nil for one that is drawn. Asked for once more with the same, while it is not forgotten, it is
    ///   the same token: who has overheard a question can repeat it, and gets no other.
    func issue(_ question: AskToken, as id: UUID? = nil, to account: LedgerAccount) throws -> AskToken.Answer {
        let now = settings.clock()
        var content = PayeeToken.Content(
            version: question.version,
            id: id ?? settings.makeID(),
            expiry: now + Int64(settings.tokenLifetime),
            lifetime: settings.tokenLifetime,
            currency: account.balance.currency,
            name: account.name,
            photo: question.version >= PayeeToken.version ? question.photo : nil
        )
        try queue.inTransaction(.immediate) { database in
            try database.execute(sql: "DELETE FROM token WHERE expiry < ?", arguments: [now - Self.memory])
            if let id {
                let expiry = try Int64.fetchOne(
                    try database.cachedStatement(sql: "SELECT expiry FROM token WHERE id = ? AND account = ?"),
                    arguments: [id.uuidString, account.id.uuidString]
                )
                if let expiry {
                    content.expiry = expiry
                    return .commit
                }
            }
            let count = try Int.fetchOne(
                try database.cachedStatement(sql: "SELECT COUNT(*) FROM token WHERE account = ?"),
                arguments: [account.id.uuidString]
            )
            guard count ?? 0 < settings.limits.tokensPerAccount else {
                throw BankDesk.Denial.tooMany(
                    "this account has too many tokens; ask for one when the older ones are past"
                )
            }
            try database.execute(
                sql: "INSERT INTO token VALUES (?, ?, ?)",
                arguments: [content.id.uuidString, account.id.uuidString, content.expiry]
            )
            return .commit
        }
        return AskToken.Answer(token: PayeeToken(signing: content, with: key).bytes, lifetime: content.lifetime)
    }

    /// Whose token it is, or why it is refused.
    func payee(_ token: PayeeToken, _ database: Database) throws -> Result<(LedgerAccount, UUID), TransferRefusal> {
        guard token.content.expiry >= settings.clock() else { return .failure(.expiredToken) }
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: "SELECT account.* FROM token JOIN account ON account.id = token.account WHERE token.id = ?"
            ),
            arguments: [token.content.id.uuidString]
        )
        guard let row else { return .failure(.unknownToken) }
        return .success((try LedgerAccount(row), token.content.id))
    }
}
