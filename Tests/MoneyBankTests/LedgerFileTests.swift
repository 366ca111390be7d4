import BluethroatMoneyTerms
import Foundation
import GRDB
import Testing

@testable import BluethroatMoneyBank

@Suite("The bank's books in a file")
struct LedgerFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "books-\(UUID())").path
    private var path: String { folder + "/bank.sqlite" }

    private func run(_ body: () throws -> Void) throws {
        mkdir(folder, 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func mode() -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// Books with two accounts, a transfer and a refusal. What was ordered, and what came of it.
    @discardableResult
    private func makeBooks() throws -> (ben: BankAccount, orders: [OrderTransfer], outcomes: [TransferOutcome]) {
        let desk = BankDesk(try Ledger(path: path))
        let anna = try desk.ask(OpenAccount(name: "Anna", currency: .euro))
        let ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        let token = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        let orders = [250, 99_999].map {
            OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: $0, .euro))
        }
        return (ben, orders, try orders.map { try desk.ask($0, as: ben) })
    }

    private func expectRefused(_ why: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let bytes = try Data(contentsOf: URL(filePath: path)), mode = mode()
        let error = #expect(throws: LedgerError.self, sourceLocation: sourceLocation) { try Ledger(path: path) }
        let line = error?.description ?? ""
        #expect(line.contains(why) && !line.contains("\n"), "\(line)", sourceLocation: sourceLocation)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes, sourceLocation: sourceLocation)
        #expect(self.mode() == mode, sourceLocation: sourceLocation)
    }

    @Test("An order that was decided is answered while another program keeps the books locked")
    func lockedBooks() throws {
        try run {
            let (ben, orders, outcomes) = try makeBooks()
            let desk = BankDesk(try Ledger(path: path))
            // As a copy that is being written does, or the check of all books.
            try DatabaseQueue(path: path).inTransaction(.immediate) { _ in
                let again = try orders.map { try desk.ask($0, as: ben) }
                #expect(again == outcomes)
                return .rollback
            }
        }
    }

    @Test("Books that are to be there already are not begun: no file is made, and an empty one stays empty")
    func missing() throws {
        try run {
            #expect(throws: LedgerError.missing(path: path)) { try Ledger(path: path, mayBegin: false) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            #expect("\(LedgerError.missing(path: "typo.sqlite"))".hasPrefix("no such file: typo.sqlite"))
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            chmod(path, 0o600)
            #expect(throws: LedgerError.unusable(path: path, reason: "it is empty")) {
                try Ledger(path: path, mayBegin: false)
            }
            #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
            // Those that are there are read.
            try makeBooks()
            #expect(try Ledger(path: path, mayBegin: false).audit().transfers == 1)
        }
    }

    @Test("Books that others may read or write are refused with what to do, and their mode stays")
    func openToOthers() throws {
        try run {
            try makeBooks()
            for mode: mode_t in [0o644, 0o660, 0o602, 0o666] {
                chmod(path, mode)
                try expectRefused("is open to others (mode \(String(mode, radix: 8))): chmod 600 \(path)")
            }
            chmod(path, 0o600)
            #expect(try Ledger(path: path).audit().faults.isEmpty)
        }
    }

    @Test("The mode of another program's file is not changed, nor anything in it")
    func foreignMode() throws {
        try run {
            try Data("somebody's diary, which all may read".utf8).write(to: URL(filePath: path))
            chmod(path, 0o644)
            try expectRefused("is open to others")
            #expect(mode() == 0o644)
        }
    }

    @Test("Behind a link are no books, and none are made there")
    func link() throws {
        try run {
            let target = folder + "/elsewhere.sqlite"
            symlink(target, path)
            #expect(throws: LedgerError.self) { try Ledger(path: path) }
            #expect(!FileManager.default.fileExists(atPath: target))
            try makeBooks(at: target)
            #expect(throws: LedgerError.self) { try Ledger(path: path) }
        }
    }

    private func makeBooks(at path: String) throws { _ = try Ledger(path: path) }

    @Test("A journal that another user has put beside the books is not believed")
    func foreignJournal() throws {
        try run {
            try makeBooks()
            for companion in ["-journal", "-wal", "-shm"] {
                try Data(repeating: 0xD9, count: 600).write(to: URL(filePath: path + companion))
                chmod(path + companion, 0o666)
                try expectRefused("\(path)\(companion) is open to others")
                unlink(path + companion)
            }
        }
    }

    @Test("Another program's database is left alone, also one whose numbers are zero, as most are")
    func foreign() throws {
        for version in [0, 7] {
            try run {
                try DatabaseQueue(path: path).write {
                    try $0.execute(sql: "PRAGMA user_version = \(version); CREATE TABLE recipe (name)")
                }
                chmod(path, 0o600)
                try expectRefused("is another program's database")
            }
        }
    }

    @Test("Books of a later version are refused, and said to be that")
    func newer() throws {
        try run {
            try makeBooks()
            try change("PRAGMA user_version = 5")
            try expectRefused("is of a newer version")
        }
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test(
        "Values of a wrong type, tables that are not ours and a key of a wrong length are one line, and nothing traps",
        arguments: [
            "UPDATE account SET name = x'00' WHERE name = 'Ben'", "UPDATE account SET secretHash = 'text'",
            "UPDATE account SET balance = 'much' WHERE name = 'Ben'",
            "UPDATE account SET balance = 1.5 WHERE name = 'Ben'",
            "UPDATE account SET opened = 'x'", "UPDATE token SET expiry = 'never'", "UPDATE transfer SET digest = 7",
            "UPDATE transfer SET isSeen = 'x'", "UPDATE transfer SET refusal = x'05' WHERE refusal IS NOT NULL",
            "UPDATE transfer SET receipt = 'text' WHERE receipt IS NOT NULL", "UPDATE transfer SET time = 0.5",
            "UPDATE bank SET key = x'0102'", "UPDATE bank SET key = 'text'", "DROP TRIGGER entriesCount",
            "DROP TABLE token",
            "CREATE TRIGGER more AFTER INSERT ON transfer BEGIN UPDATE account SET balance = 9; END",
            "DROP TRIGGER entriesStay", "CREATE VIEW v AS SELECT 1",
        ]
    )
    func wrongTypes(sql: String) throws {
        try run {
            try makeBooks()
            try change(sql)
            try expectRefused("cannot be used as the bank's books")
        }
    }

    @Test("A name that is longer than a name is goes into no token: one line, and nothing traps")
    func longName() throws {
        try run {
            let ben = try makeBooks().ben
            try change("UPDATE account SET name = '\(String(repeating: "x", count: 300))' WHERE name = 'Ben'")
            let desk = BankDesk(try Ledger(path: path))
            #expect(throws: BankFailure.self) { try desk.ask(AskToken(version: 2, photo: nil), as: ben) }
        }
    }

    @Test("Books that are cut off anywhere, overwritten or no database are one line, and nothing in them is changed")
    func damaged() throws {
        try run {
            try makeBooks()
            let sound = try Data(contentsOf: URL(filePath: path))
            var damages: [Data] = [Data("no database".utf8), Data(count: 8_192)]
            damages += stride(from: 1, to: sound.count, by: 1_777).map { sound.prefix($0) }
            for start in stride(from: 100, to: sound.count - 64, by: 4_096) {
                var bytes = sound
                bytes.replaceSubrange(start..<start + 64, with: Data(repeating: 0xA7, count: 64))
                damages.append(bytes)
            }
            for damage in damages {
                try damage.write(to: URL(filePath: path))
                chmod(path, 0o600)
                // Overwritten bytes may be such that nothing is in them.
                do { _ = try Ledger(path: path) } catch {
                    #expect(!"\(error)".contains("\n") && "\(error)".contains(path), "\(error)")
                    #expect(try Data(contentsOf: URL(filePath: path)) == damage)
                }
                unlink(path + "-journal")
            }
        }
    }

    @Test("A disk that is full is one line; the order is not made, and is made when there is room")
    func full() throws {
        try run {
            let (ben, _, _) = try makeBooks()
            let ledger = try Ledger(path: path)
            let desk = BankDesk(ledger)
            let token = try desk.ask(
                AskToken(version: 2, photo: nil),
                as: try desk.ask(OpenAccount(name: "Carol", currency: .euro))
            ).token
            let pages = try ledger.queue.writeWithoutTransaction { database in
                let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(pages)")
                return pages
            }
            var refused: OrderTransfer?
            for _ in 0..<500 where refused == nil {
                let order = OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 1, .euro))
                guard case .failure(let denial) = desk.answer(BankRequest(order, as: ben.credentials)) else { continue }
                #expect(denial.kind == .broken)
                #expect(denial.sentence == "the bank cannot use its books: the disk is full; make room")
                refused = order
            }
            let order = try #require(refused)
            #expect(try ledger.audit().faults.isEmpty)
            try ledger.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages * 2)") }
            guard case .done = try desk.ask(order, as: ben) else { return _ = Issue.record("not done") }
            #expect(try ledger.audit().faults.isEmpty)
        }
    }

    @Test("An entry is neither changed nor removed nor replaced, in books of version 3 either once they are opened")
    func entriesStay() throws {
        try run {
            try makeBooks()
            let before = try Ledger(path: path).audit()
            let changes = [
                "UPDATE entry SET amount = amount + 1", "DELETE FROM entry",
                "REPLACE INTO entry SELECT transfer, account, amount + 1 FROM entry WHERE amount > 0",
                "INSERT OR REPLACE INTO entry SELECT transfer, account, amount + 1 FROM entry WHERE amount > 0",
            ]
            for version in [4, 3] {
                if version == 3 {
                    try change("DROP TRIGGER entriesOnce; PRAGMA user_version = 3")
                    #expect(try Ledger(path: path).audit() == before)
                }
                for sql in changes { #expect(throws: DatabaseError.self, "\(sql)") { try change(sql) } }
                #expect(try Ledger(path: path).audit() == before)
            }
        }
    }

    @Test("The audit says of money that nobody has paid whose it is")
    func openingMoney() throws {
        try run {
            try makeBooks()
            try change("UPDATE account SET opening = opening + 5, balance = balance + 5 WHERE secretHash != x''")
            let faults = try Ledger(path: path).audit().faults
            #expect(
                faults.count >= 1 && faults.allSatisfy { $0.hasSuffix(" began with 5, which nobody has paid") },
                "\(faults)"
            )
        }
    }

    @Test("Books of version 2 are brought up to date when they are opened, and nothing in them changes")
    func secondVersion() throws {
        try run {
            try makeBooks()
            let before = try Ledger(path: path).audit()
            try change("DROP INDEX transferRefuser; DROP TRIGGER entriesOnce; PRAGMA user_version = 2")
            for _ in 0..<2 { #expect(try Ledger(path: path).audit() == before) }
            // Without what that version had these are no books.
            try change(
                "DROP INDEX transferRefuser; DROP INDEX transferRefusal; DROP TRIGGER entriesOnce; PRAGMA user_version = 2"
            )
            try expectRefused("its tables are not as a bank makes them")
        }
    }

    @Test("Books of version 1 are brought up to date: balances, outcomes and numbers stay, whole orders go")
    func migration() throws {
        try run {
            let queue = try DatabaseQueue(path: path)
            let key = BankSigningKey()
            let (anna, ben) = (UUID(), UUID())
            let token = PayeeToken(
                signing: PayeeToken.Content(
                    id: UUID(),
                    expiry: 1_000,
                    lifetime: 300,
                    currency: .euro,
                    name: "Anna",
                    photo: nil
                ),
                with: key
            ).bytes
            let orders = [250, 99_999].map {
                OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: $0, .euro))
            }
            let hash = Data(Ledger.hash("secret"))
            try queue.write { database in
                try database.execute(sql: Self.version1)
                try database.execute(sql: "INSERT INTO bank VALUES (?)", arguments: [key.bytes])
                for (id, name, hash, opening) in [
                    ("bank EUR", "The bank", Data(), Ledger.capital), (anna.uuidString, "Anna", hash, 0),
                    (ben.uuidString, "Ben", hash, 0),
                ] {
                    try database.execute(
                        sql: "INSERT INTO account VALUES (?, ?, 'EUR', ?, ?, ?)",
                        arguments: [id, name, hash, opening, opening]
                    )
                }
                let insert = """
                    INSERT INTO transfer (id, payer, request, amount, currency, refusal, payee, receipt, time)
                    VALUES (?, ?, ?, ?, 'EUR', ?, ?, ?, 1)
                    """
                for id in [anna, ben].map(\.uuidString) {
                    try database.execute(
                        sql: insert,
                        arguments: ["opening \(id)", "bank EUR", Data(), 10_000, nil, id, Data()]
                    )
                    let number = database.lastInsertedRowID
                    try database.execute(
                        sql: "INSERT INTO entry VALUES (?, 'bank EUR', -10000), (?, ?, 10000)",
                        arguments: [number, number, id]
                    )
                }
                try database.execute(
                    sql: insert,
                    arguments: [
                        orders[0].id.uuidString, ben.uuidString, BankJSON.encode(orders[0]), 250, nil, anna.uuidString,
                        Data("the receipt".utf8),
                    ]
                )
                try database.execute(
                    sql: "INSERT INTO entry VALUES (3, ?, -250), (3, ?, 250)",
                    arguments: [ben.uuidString, anna.uuidString]
                )
                try database.execute(
                    sql: insert,
                    arguments: [
                        orders[1].id.uuidString, ben.uuidString, BankJSON.encode(orders[1]), 99_999,
                        "insufficientFunds", nil, nil,
                    ]
                )
            }
            try queue.close()
            chmod(path, 0o600)
            for _ in 0..<2 {
                let desk = BankDesk(try Ledger(path: path))
                #expect(desk.ledger.publicKey == key.publicKey)
                let account = BankAccount(
                    credentials: Credentials(account: ben, secret: "secret"),
                    name: "Ben",
                    currency: .euro,
                    bankKey: key.publicKey
                )
                #expect(try desk.ask(AskBalance(), as: account).balance.minorUnits == 9_750)
                #expect(try desk.ask(orders[0], as: account) == .done(receipt: Data("the receipt".utf8), isSeen: false))
                #expect(try desk.ask(orders[1], as: account) == .refused(because: .insufficientFunds))
                let audit = try desk.ledger.audit()
                #expect(audit.faults.isEmpty && audit.transfers == 1 && audit.refusals == 1 && audit.accounts == 2)
                let longest = try desk.ledger.queue.read {
                    try Int.fetchOne($0, sql: "SELECT MAX(LENGTH(digest)) FROM transfer")
                }
                #expect(longest == 32)
            }
        }
    }

    /// The tables as version 1 made them.
    private static let version1 = """
        CREATE TABLE bank (key BLOB NOT NULL);
        CREATE TABLE account (
            id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, currency TEXT NOT NULL, secretHash BLOB NOT NULL,
            opening INTEGER NOT NULL CHECK (opening >= 0), balance INTEGER NOT NULL CHECK (balance >= 0)
        ) WITHOUT ROWID;
        CREATE TABLE token (
            id TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL REFERENCES account, expiry INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX tokenExpiry ON token (expiry);
        CREATE TABLE transfer (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, payer TEXT NOT NULL REFERENCES account,
            request BLOB NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL, refusal TEXT,
            payee TEXT REFERENCES account, receipt BLOB, time INTEGER NOT NULL, isSeen INTEGER NOT NULL DEFAULT 0,
            CHECK ((refusal IS NULL) = (receipt IS NOT NULL AND payee IS NOT NULL))
        );
        CREATE INDEX transferPayee ON transfer (payee, number) WHERE payee IS NOT NULL;
        CREATE TABLE entry (
            transfer INTEGER NOT NULL REFERENCES transfer, account TEXT NOT NULL REFERENCES account,
            amount INTEGER NOT NULL CHECK (amount != 0), PRIMARY KEY (transfer, account)
        ) WITHOUT ROWID;
        CREATE TRIGGER entriesStay BEFORE UPDATE ON entry
            BEGIN SELECT RAISE(ABORT, 'an entry never changes'); END;
        CREATE TRIGGER entriesRemain BEFORE DELETE ON entry
            BEGIN SELECT RAISE(ABORT, 'an entry is never removed'); END;
        CREATE TRIGGER entriesCount AFTER INSERT ON entry
            BEGIN UPDATE account SET balance = balance + NEW.amount WHERE id = NEW.account; END;
        PRAGMA application_id = 0x4D647270;
        PRAGMA user_version = 1;
        """
}
