internal import Crypto
internal import Foundation
internal import GRDB
public import MoneyTerms

/// The bank's books: accounts, and transfers between them with two entries each, in SQLite.
///
/// A transfer is made, or refused, once for its ID, in one transaction; whoever orders it again gets the same outcome.
/// What was answered stays, whatever becomes of the process. May be used on any thread, and by several processes.
public final class Ledger: Sendable {
    let queue: DatabaseQueue
    let settings: BankSettings
    let key: BankSigningKey

    /// Opens the books, or begins new ones where there is no file.
    public convenience init(path: String, settings: BankSettings = BankSettings()) throws(LedgerError) {
        // Nobody else may read the keys, from the first byte on; where they could, no longer.
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            fchmod(descriptor, 0o600)
            close(descriptor)
        }
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = \(settings.survivesPowerLoss ? "FULL" : "OFF")")
            }
            try self.init(try DatabaseQueue(path: path, configuration: configuration), settings)
        } catch let error as LedgerError {
            throw error
        } catch {
            throw .unusable(path: path, reason: "\(error)")
        }
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
            case (0, 0): try LedgerSchema.make(database)
            case (LedgerSchema.applicationID, LedgerSchema.version): break
            case (LedgerSchema.applicationID, _):
                throw LedgerError.newer(path: queue.path)
            default: throw LedgerError.notOurs(path: queue.path)
            }
            if try Data.fetchOne(database, sql: "SELECT key FROM bank") == nil {
                try database.execute(sql: "INSERT INTO bank VALUES (?)", arguments: [settings.makeKey().bytes])
            }
            return .commit
        }
        key = try queue.read { database in
            try BankSigningKey(try Data.fetchOne(database, sql: "SELECT key FROM bank") ?? Data())
        }
    }

    /// What shows that this bank has signed something.
    public var publicKey: BankKey { key.publicKey }
}

/// Why there are no books.
public enum LedgerError: Error, Hashable, CustomStringConvertible {
    case unusable(path: String, reason: String)
    case notOurs(path: String)
    case newer(path: String)

    public var description: String {
        switch self {
        case .unusable(let path, let reason): "\(path) cannot be used as the bank's books: \(reason)"
        case .notOurs(let path): "\(path) is another program's database; name another file for the bank's books"
        case .newer(let path): "\(path) is of a newer version; use that one, or name another file"
        }
    }
}
