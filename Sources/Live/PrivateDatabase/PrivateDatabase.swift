package import BluethroatPrivateFiles
internal import Foundation
package import GRDB

/// A database of SQLite that is for its owner alone, with its journals.
package enum PrivateDatabase {
    /// Opens it by its name. What the name led to before is compared afterwards, by `PinnedFile.confirm`.
    package static func open(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        // Some builds of SQLite take a name with a colon for an address, or for a database in memory.
        let path = path.hasPrefix("/") ? path : "./" + path
        return try OwnJournals.areChecked { try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Why SQLite was not permitted to use a file: what is beside the database, or the folder it is in, is open to others by
    /// now; nil if it was another error, or if it is gone again.
    package static func refusal(for error: any Error, of path: String) -> PrivateFiles.Failure? {
        guard let code = (error as? DatabaseError)?.resultCode, code == .SQLITE_PERM || code == .SQLITE_CANTOPEN else {
            return nil
        }
        do throws(PrivateFiles.Failure) { _ = try PinnedFile.find(path) } catch { return error }
        return nil
    }
}
