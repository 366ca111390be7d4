internal import GRDB

/// The tables of a bank. SQLite itself refuses a balance below zero and a changed entry.
enum LedgerSchema {
    /// "Mdrp" in the header of the file says that it is ours.
    static let applicationID: Int32 = 0x4D64_7270
    static let version: Int32 = 1

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
                    balance INTEGER NOT NULL CHECK (balance >= 0)
                ) WITHOUT ROWID;

                CREATE TABLE token (
                    id TEXT NOT NULL PRIMARY KEY,
                    account TEXT NOT NULL REFERENCES account,
                    expiry INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX tokenExpiry ON token (expiry);

                CREATE TABLE transfer (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    payer TEXT NOT NULL REFERENCES account,
                    request BLOB NOT NULL,
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
                CREATE TRIGGER entriesCount AFTER INSERT ON entry
                    BEGIN UPDATE account SET balance = balance + NEW.amount WHERE id = NEW.account; END;
                """
        )
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }
}
