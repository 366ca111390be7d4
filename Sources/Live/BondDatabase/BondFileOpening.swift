internal import BluethroatPrivateDatabase
internal import BluethroatPrivateFiles
internal import Foundation
internal import GRDB

/// Opening a bond file: finding out whether it is sound, moving it aside if it is not, making it where there is none.
///
/// All of it happens alone in the directory, so that no process moves aside what another has just made.
struct BondFileOpening {
    /// An open file that is sound and up to date.
    struct Opened {
        var path: String
        var damage: BondDatabase.Damage?
        var queue: DatabaseQueue
    }

    private let file: BondFile
    private let schema: BondSchema

    init(_ path: String, _ schema: BondSchema) throws(BondDatabaseError) {
        file = try BondFile(path)
        self.schema = schema
    }

    /// Nil if there is no file, or only a damaged one that is now elsewhere, and none is to be made.
    func open(creating: Bool) throws(BondDatabaseError) -> Opened? {
        guard try file.pin() != nil || creating else { return nil }
        if creating { try file.makeDirectories() }
        return try file.alone { () throws(BondDatabaseError) in
            var damage: BondDatabase.Damage?
            if let pinned = try file.pin() {
                switch try examine(pinned) {
                case .sound(let queue): return Opened(path: file.path, queue: queue)
                case .damaged(let reason): damage = try moveAside(reason)
                }
            } else if file.hasStraySideFiles {
                // A journal of a file that is gone; SQLite would take it for the new one's.
                damage = try moveAside("its journal is there and the file is not")
            }
            return Opened(path: file.path, damage: damage, queue: try make())
        }
    }

    private func moveAside(_ reason: String) throws(BondDatabaseError) -> BondDatabase.Damage {
        do throws(BondDatabaseError) {
            return BondDatabase.Damage(path: file.path, reason: reason, movedTo: try file.moveAside())
        } catch {
            throw .damagedAndStuck(path: file.path, reason: reason)
        }
    }

    // MARK: Making

    /// The file appears under its name only when it is complete: what is found there empty was emptied by an accident.
    private func make() throws(BondDatabaseError) -> DatabaseQueue {
        let new = try file.beginReplacement()
        do {
            let queue = try Self.connect(new.path)
            try queue.write { database in try schema.migrate(database, from: 0) }
            try queue.close()
            try new.move(to: file)
        } catch {
            let refusal = PrivateDatabase.refusal(for: error, of: new.path)
            new.erase()
            throw refusal.map { BondDatabaseError($0) } ?? .from(error, path: file.path)
        }
        do { return try Self.connect(file.path) } catch { throw .from(error, path: file.path) }
    }

    private static func connect(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "bonds"
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            // A transaction is over when its journal is gone, and EXTRA waits until the directory says so on the disk.
            try database.execute(sql: "PRAGMA synchronous = EXTRA")
            // Removed keys are overwritten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return try PrivateDatabase.open(path, configuration)
    }

    // MARK: Examining

    private enum Finding {
        case sound(DatabaseQueue)
        case damaged(String)
    }

    private func examine(_ pinned: borrowing PinnedFile) throws(BondDatabaseError) -> Finding {
        guard pinned.size > 0 else { return .damaged("it is empty, which no bond file ever is") }
        var queue: DatabaseQueue?
        do {
            queue = try Self.connect(file.path)
            // SQLite opens files by their names.
            try pinned.confirm()
            if let reason = try queue.map({ try fault($0) }) ?? nil {
                try? queue?.close()
                return .damaged(reason)
            }
        } catch {
            try? queue?.close()
            switch BondDatabaseError.from(error, path: file.path) {
            // A name that was mistyped may be that of any file: what never was a database is not moved.
            case .damaged where !file.mayHaveBeenDatabase: throw .foreignFile(path: file.path)
            case .damaged(_, let reason): return .damaged(reason)
            case let error: throw error
            }
        }
        return .sound(queue!)
    }

    /// What is wrong with the file's contents, nil if nothing is; an earlier version is brought up to date.
    private func fault(_ queue: DatabaseQueue) throws -> String? {
        let version = try queue.read { database in try self.version(database) }
        if version < schema.version {
            if let reason = try check(queue, BondSchema(steps: Array(schema.steps[..<version]))) { return reason }
            try queue.write { database in
                // Another process may have been quicker.
                let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                if version < schema.version { try schema.migrate(database, from: version) }
            }
        }
        if let reason = try check(queue, schema) { return reason }
        // The journal mode is in the file. Only an accident changes it.
        let mode = try queue.writeWithoutTransaction { database in
            try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
        }
        return mode == "delete" ? nil : "its journal mode cannot be set"
    }

    /// The version of the file's tables, from 1 to the one known.
    private func version(_ database: Database) throws -> Int {
        let tables = try BondSchema.definitions(database)
        let isOurs = try Int32.fetchOne(database, sql: "PRAGMA application_id") == BondSchema.applicationID
        let looksLikeOurs = ["fileFormat", "identity", "bond"].contains { tables[$0] != nil }
        guard isOurs || looksLikeOurs else { throw BondDatabaseError.foreignFile(path: file.path) }
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard isOurs, tables["fileFormat"] != nil,
            try DatabaseValue.fetchAll(database, sql: "SELECT version FROM fileFormat") == [version.databaseValue],
            version > 0
        else { throw DamagedRow(reason: "its header does not fit its contents") }
        guard version <= schema.version else {
            throw BondDatabaseError.newerVersion(path: file.path, found: version, known: schema.version)
        }
        return version
    }

    private func check(_ queue: DatabaseQueue, _ schema: BondSchema) throws -> String? {
        let wanted = try DatabaseQueue().write { database in
            try schema.migrate(database, from: 0)
            return try BondSchema.definitions(database)
        }
        return try queue.read { database in
            let result = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
            guard result == ["ok"] else { return result.first ?? "the check of its integrity says nothing" }
            let found = try BondSchema.definitions(database)
            guard wanted.allSatisfy({ found[$0.key] == $0.value }) else {
                return "its tables are not as they were made"
            }
            // The rows of an earlier version are read after they have been brought up to date.
            guard schema.version == self.schema.version else { return nil }
            _ = try BondRecord.all(database)
            _ = try IdentityRecord.all(database)
            return nil
        }
    }
}
