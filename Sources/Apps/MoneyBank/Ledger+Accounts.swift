internal import BluethroatMoneyTerms
internal import Crypto
internal import Foundation
internal import GRDB

/// An account as it is in the books.
struct LedgerAccount {
    let id: UUID
    let name: String
    let balance: Money

    init(_ row: Row) throws {
        guard let id = UUID(uuidString: row["id"]), let currency = Currency(row["currency"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an account is not readable")
        }
        self.id = id
        name = row["name"]
        // It goes into tokens and receipts, behind a byte that says how long it is.
        guard name.utf8.count <= OwnerName.limit else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the name of an account is too long")
        }
        balance = Money(minorUnits: row["balance"], currency)
    }
}

extension Ledger {
    /// The bank's own account in each currency is where all play money comes from; it begins with so much.
    static let capital: Int64 = 1_000_000_000_000_000

    func open(_ question: OpenAccount) throws -> BankAccount {
        let credentials = Credentials(account: settings.makeID(), secret: settings.makeSecret())
        let deposit = min(settings.deposit, 1_000_000_000) * Int64(question.currency.minorUnitsPerUnit)
        let now = settings.clock()
        try queue.inTransaction(.immediate) { database in
            try limitAccounts(at: now, database)
            let treasury = "bank \(question.currency)"
            try database.execute(
                sql: "INSERT OR IGNORE INTO account VALUES (?, 'The bank', ?, x'', ?, ?, 0)",
                arguments: [treasury, question.currency.code, Self.capital, Self.capital]
            )
            let id = credentials.account.uuidString
            try database.execute(
                sql: "INSERT INTO account VALUES (?, ?, ?, ?, 0, 0, ?)",
                arguments: [id, question.name, question.currency.code, Data(Self.hash(credentials.secret)), now]
            )
            let left = try Int64.fetchOne(
                database,
                sql: "SELECT balance FROM account WHERE id = ?",
                arguments: [treasury]
            )
            guard left ?? 0 >= deposit else {
                throw BankDesk.Denial(kind: .conflict, sentence: "the bank has given away all its \(question.currency)")
            }
            if deposit > 0 {
                try database.execute(
                    sql: """
                        INSERT INTO transfer (id, payer, digest, amount, currency, payee, receipt, time, isSeen)
                        VALUES (?, ?, x'', ?, ?, ?, x'', ?, 1)
                        """,
                    arguments: ["opening \(id)", treasury, deposit, question.currency.code, id, now]
                )
                try enter(deposit, from: treasury, to: id, as: database.lastInsertedRowID, database)
            }
            return .commit
        }
        return BankAccount(
            credentials: credentials,
            name: question.name,
            currency: question.currency,
            bankKey: publicKey
        )
    }

    /// Anyone may ask for an account, and each stays in the books.
    private func limitAccounts(at now: Int64, _ database: Database) throws {
        // The bank's own accounts have no secret.
        let all = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM account WHERE secretHash != x''")
        guard all ?? 0 < settings.limits.accounts else {
            throw BankDesk.Denial.tooMany("the bank has as many accounts as it may have: \(settings.limits.accounts)")
        }
        let recent = try Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM account WHERE opened > ? AND opened <= ?",
            arguments: [now - 3_600, now]
        )
        guard recent ?? 0 < settings.limits.accountsPerHour else {
            throw BankDesk.Denial.tooMany("the bank has opened too many accounts in the last hour; ask again later")
        }
    }

    /// The two entries of a transfer.
    func enter(_ amount: Int64, from payer: String, to payee: String, as transfer: Int64, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT INTO entry VALUES (?, ?, ?)")
        try statement.execute(arguments: [transfer, payer, -amount])
        try statement.execute(arguments: [transfer, payee, amount])
    }

    /// The account of the caller; nil if the credentials are wrong.
    func account(_ credentials: Credentials) throws -> LedgerAccount? {
        try lookUp { database in
            let row = try Row.fetchOne(
                try database.cachedStatement(sql: "SELECT * FROM account WHERE id = ?"),
                arguments: [credentials.account.uuidString]
            )
            // Compared in a time that does not depend on what differs.
            guard let row, Self.hash(credentials.secret) == row["secretHash"] as Data else { return nil }
            return try LedgerAccount(row)
        }
    }

    static func hash(_ secret: String) -> SHA256Digest { SHA256.hash(data: Data(secret.utf8)) }
}
