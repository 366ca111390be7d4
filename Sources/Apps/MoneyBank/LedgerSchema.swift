internal import Crypto
internal import Foundation
internal import GRDB

/// The tables of a bank. SQLite itself refuses a balance below zero and a changed entry.
enum LedgerSchema {
    /// "Mdrp" in the header of the file says that it is ours.
    static let applicationID: Int32 = 0x4D64_7270
    static let version: Int32 = 4

    static func make(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE bank (key BLOB NOT NULL);

                CREATE TABLE account (
                    id TEXT NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL,
                    currency TEXT NOT NULL,
                    secretHash BLOB NOT NULL,
                    opening INTEGER NOT NULL CHECK (opening >= 0),
                    balance INTEGER NOT NULL CHECK (balance >= 0),
                    opened INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX accountOpened ON account (opened);

                CREATE TABLE token (
                    id TEXT NOT NULL PRIMARY KEY,
                    account TEXT NOT NULL REFERENCES account,
                    expiry INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX tokenExpiry ON token (expiry);
                CREATE INDEX tokenAccount ON token (account);

                CREATE TABLE transfer (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    payer TEXT NOT NULL REFERENCES account,
                    digest BLOB NOT NULL,
                    amount INTEGER NOT NULL,
                    currency TEXT NOT NULL,
                    refusal TEXT,
                    payee TEXT REFERENCES account,
                    receipt BLOB,
                    time INTEGER NOT NULL,
                    isSeen INTEGER NOT NULL DEFAULT 0,
                    CHECK ((refusal IS NULL) = (receipt IS NOT NULL AND payee IS NOT NULL))
                );
                CREATE INDEX transferPayee ON transfer (payee, number) WHERE payee IS NOT NULL;
                CREATE INDEX transferPayer ON transfer (payer, time);
                CREATE INDEX transferRefusal ON transfer (time) WHERE refusal IS NOT NULL;
                \(refusalsByPayer)

                CREATE TABLE entry (
                    transfer INTEGER NOT NULL REFERENCES transfer,
                    account TEXT NOT NULL REFERENCES account,
                    amount INTEGER NOT NULL CHECK (amount != 0),
                    PRIMARY KEY (transfer, account)
                ) WITHOUT ROWID;
                CREATE TRIGGER entriesStay BEFORE UPDATE ON entry
                    BEGIN SELECT RAISE(ABORT, 'an entry never changes'); END;
                CREATE TRIGGER entriesRemain BEFORE DELETE ON entry
                    BEGIN SELECT RAISE(ABORT, 'an entry is never removed'); END;
                \(entriesOnce)
                CREATE TRIGGER entriesCount AFTER INSERT ON entry
                    BEGIN UPDATE account SET balance = balance + NEW.amount WHERE id = NEW.account; END;
                """
        )
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// How many refusals of an account there are is asked with each further one.
    private static let refusalsByPayer =
        "CREATE INDEX transferRefuser ON transfer (payer) WHERE refusal IS NOT NULL;"

    /// REPLACE removes what is in its way without asking the trigger for what is removed.
    private static let entriesOnce = """
        CREATE TRIGGER entriesOnce BEFORE INSERT ON entry
            WHEN EXISTS (SELECT 1 FROM entry WHERE transfer = NEW.transfer AND account = NEW.account)
            BEGIN SELECT RAISE(ABORT, 'an entry never changes'); END;
        """

    /// Brings books of version 3 up to date, in which entries could be replaced.
    static func migrateFromVersion3(_ database: Database) throws {
        try database.execute(sql: entriesOnce)
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Brings books of version 2 up to date, which counted the refusals of all accounts together.
    static func migrateFromVersion2(_ database: Database) throws {
        try database.execute(sql: refusalsByPayer)
        try migrateFromVersion3(database)
    }

    /// Brings books of version 1 up to date, which kept each order whole and not when an account was opened.
    ///
    /// The entries are made anew, so that SQLite checks each balance again on the way.
    static func migrateFromVersion1(_ database: Database) throws {
        if let fault = try LedgerCheck.typeFault(database, version: 1) {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: fault)
        }
        let tables = ["entry", "transfer", "token", "account", "bank"]
        for table in tables {
            try database.execute(sql: "CREATE TEMP TABLE old_\(table) AS SELECT * FROM main.\(table)")
        }
        for table in tables { try database.execute(sql: "DROP TABLE main.\(table)") }
        try make(database)
        try database.execute(
            sql: """
                INSERT INTO bank SELECT key FROM old_bank;
                INSERT INTO account SELECT id, name, currency, secretHash, opening, opening, 0 FROM old_account;
                INSERT INTO token SELECT id, account, expiry FROM old_token;
                """
        )
        let old = try Row.fetchCursor(database, sql: "SELECT * FROM old_transfer ORDER BY number")
        while let row = try old.next() {
            let request: Data = row["request"]
            // The first deposit of an account has no order.
            let digest = request.isEmpty ? request : digest(request)
            try database.cachedStatement(
                sql: "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                row["number"] as Int64, row["id"] as String, row["payer"] as String, digest, row["amount"] as Int64,
                row["currency"] as String, row["refusal"] as String?, row["payee"] as String?, row["receipt"] as Data?,
                row["time"] as Int64, row["isSeen"] as Bool,
            ])
        }
        try database.execute(sql: "INSERT INTO entry SELECT * FROM old_entry ORDER BY transfer, amount")
        let differences = try Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM account JOIN old_account USING (id) WHERE account.balance != old_account.balance"
        )
        guard differences == 0 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its entries do not add up to its balances")
        }
        for table in tables { try database.execute(sql: "DROP TABLE temp.old_\(table)") }
    }

    /// What is kept of an order: SHA-256.
    static func digest(_ order: Data) -> Data { Data(SHA256.hash(data: order)) }
}
