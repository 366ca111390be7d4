public import BluethroatMoneyTerms
internal import BluethroatPrivateDatabase
internal import BluethroatPrivateFiles
internal import Crypto
internal import Foundation
internal import GRDB

/// The bank's books: accounts, and transfers between them with two entries each, in SQLite.
///
/// A transfer is made, or refused, once for its ID, in one transaction; a repeated order gets the same outcome. What
/// was answered stays, whatever becomes of the process. May be used on any thread, and by several processes.
public final class Ledger: Sendable {
    let queue: DatabaseQueue
    let settings: BankSettings
    let key: BankSigningKey
    /// What clients encrypt their questions with, so that only this bank reads them.
    let encryptionKey: BankEncryptionKey

    /// Opens the books, or begins new ones where there is no file.
    ///
    /// - Parameter mayBegin: whether new ones may be begun. Otherwise a name that leads to no books is an error, and no
    ///   file is made: `missing`, or `unusable` where there is an empty file.
    public convenience init(
        path: String,
        settings: BankSettings = BankSettings(),
        mayBegin: Bool = true
    ) throws(LedgerError) {
        let pinned = try Self.pin(path, mayBegin: mayBegin)
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = \(settings.survivesPowerLoss ? "FULL" : "OFF")")
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
                try database.execute(sql: "PRAGMA trusted_schema = OFF")
            }
            let queue = try PrivateDatabase.open(path, configuration)
            // SQLite opens files by their names.
            try pinned.confirm()
            try self.init(queue, settings)
            // It is in the file, and another program may have changed it; beside a log there would be more files.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        } catch let error as LedgerError {
            throw error
        } catch let error as PrivateFiles.Failure {
            throw .refused("\(error)")
        } catch {
            throw .unusable(path: path, reason: LedgerError.reason(error, of: path))
        }
    }

    /// The bank's key is in the file: no other user may read it, from the first byte on.
    private static func pin(_ path: String, mayBegin: Bool) throws(LedgerError) -> PinnedFile {
        let found: PinnedFile?
        do throws(PrivateFiles.Failure) {
            found = mayBegin ? try PinnedFile.creating(path) : try PinnedFile.find(path)
        } catch {
            throw .refused("\(error)")
        }
        guard let found else { throw .missing(path: path) }
        guard mayBegin || found.size > 0 else { throw .unusable(path: path, reason: "it is empty") }
        return found
    }

    /// Books in memory.
    public convenience init(settings: BankSettings = BankSettings()) {
        do {
            try self.init(try DatabaseQueue(), settings)
        } catch {
            preconditionFailure("SQLite has no memory for an empty database: \(error)")
        }
    }

    private init(_ queue: DatabaseQueue, _ settings: BankSettings) throws {
        self.queue = queue
        self.settings = settings
        try queue.inTransaction(.immediate) { database in
            let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            switch (application, version) {
            case (0, 0):
                // Many programs leave both at zero.
                guard try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0 else {
                    throw LedgerError.notOurs(path: queue.path)
                }
                try LedgerSchema.make(database)
            case (LedgerSchema.applicationID, 1): try LedgerSchema.migrateFromVersion1(database)
            case (LedgerSchema.applicationID, 2): try LedgerSchema.migrateFromVersion2(database)
            case (LedgerSchema.applicationID, 3): try LedgerSchema.migrateFromVersion3(database)
            case (LedgerSchema.applicationID, LedgerSchema.version): break
            case (LedgerSchema.applicationID, _):
                throw LedgerError.newer(path: queue.path)
            default: throw LedgerError.notOurs(path: queue.path)
            }
            if let fault = try LedgerCheck.fault(database) {
                throw LedgerError.unusable(path: queue.path, reason: fault)
            }
            if try Data.fetchOne(database, sql: "SELECT key FROM bank") == nil {
                try database.execute(sql: "INSERT INTO bank VALUES (?)", arguments: [settings.makeKey().bytes])
            }
            return .commit
        }
        key = try queue.read { database in
            try BankSigningKey(try Data.fetchOne(database, sql: "SELECT key FROM bank") ?? Data())
        }
        encryptionKey = key.encryptionKey
    }

    /// What shows that this bank has signed something.
    public var publicKey: BankKey { key.publicKey }

    /// What went wrong with the books, without the statement in which it did.
    func reason(of error: any Error) -> String { LedgerError.reason(error, of: queue.path) }

    /// Reads by one statement, which needs no transaction. `read` of GRDB sets a pragma before and after, and SQLite then
    /// compiles every statement of the connection again.
    func lookUp<Found>(_ body: (Database) throws -> Found) throws -> Found { try queue.unsafeRead(body) }
}

/// Why there are no books.
public enum LedgerError: Error, Hashable, CustomStringConvertible {
    case unusable(path: String, reason: String)
    /// The file is not this user's alone; a sentence that says what to do.
    case refused(String)
    /// There is no such file, and none was to be made.
    case missing(path: String)
    case notOurs(path: String)
    case newer(path: String)

    public var description: String {
        switch self {
        case .unusable(let path, let reason): "\(path) cannot be used as the bank's books: \(reason)"
        case .missing(let path): "no such file: \(path); name the file of a bank's books"
        case .refused(let sentence): "the books cannot be used: \(sentence)"
        case .notOurs(let path): "\(path) is another program's database; name another file for the bank's books"
        case .newer(let path): "\(path) is of a newer version; use that one, or name another file"
        }
    }
}

extension LedgerError {
    /// What went wrong with the books of this name, without the statement in which it did.
    static func reason(_ error: any Error, of path: String) -> String {
        if let refusal = PrivateDatabase.refusal(for: error, of: path) { return "\(refusal)" }
        guard let error = error as? DatabaseError else { return "\(error)" }
        switch error.resultCode {
        case .SQLITE_NOTADB: return "it is no database"
        case .SQLITE_CORRUPT: return "it is damaged (\(error.message.map(oneLine) ?? "it makes no sense"))"
        case .SQLITE_FULL: return "the disk is full; make room"
        case .SQLITE_READONLY, .SQLITE_PERM: return "it cannot be written; change its permissions"
        case .SQLITE_CANTOPEN: return "it cannot be opened; look at its permissions, and at ulimit -n"
        case .SQLITE_IOERR: return "\(error.message.map(oneLine) ?? "I/O error"); look at the disk, and at ulimit -f"
        case .SQLITE_BUSY, .SQLITE_LOCKED: return "another process keeps it busy; try again"
        default: return error.message.map(oneLine) ?? "\(error.resultCode)"
        }
    }

    /// SQLite says some things in several lines.
    static func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
