internal import BluethroatPrivateFiles
internal import Foundation
internal import GRDBSQLite

/// The file system as SQLite uses it, except that a journal is opened only if it is this user's alone.
///
/// SQLite takes any file that has the name of its journal. In a folder that others may write to, one of theirs would be
/// written into the database as what was there before, or would receive what is about to be changed. Here the journal is
/// made before SQLite opens it, unless it is there and private. In a folder with the sticky bit no other user can put
/// another file in its place, and `PinnedFile` refuses folders where they can.
enum OwnJournals {
    /// What is registered for all of the process, or nil on a system without any.
    private nonisolated(unsafe) static let system: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)

    /// The same but for the way it opens files. SQLite refers to it as long as there are connections, so it is never freed.
    private nonisolated(unsafe) static let checking: UnsafeMutablePointer<sqlite3_vfs>? = system.map { system in
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: system.pointee)
        own.pointee.zName = UnsafePointer(strdup("bluethroat-own-journals"))
        own.pointee.pNext = nil
        own.pointee.xOpen = { _, name, file, flags, found in
            if let name, let file, flags & OwnJournals.kinds != 0 {
                file.pointee.pMethods = nil
                let code = OwnJournals.check(String(cString: name), isToBeMade: flags & SQLITE_OPEN_CREATE != 0)
                if code != SQLITE_OK { return code }
            }
            return OwnJournals.system?.pointee.xOpen(OwnJournals.system, name, file, flags, found) ?? SQLITE_CANTOPEN
        }
        return own
    }

    private static let kinds = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
    private static let turn = NSLock()

    /// Connections that are opened by this look whose their journals are, to their end.
    static func areChecked<Connection>(by open: () throws -> Connection) rethrows -> Connection {
        // GRDB opens by the file system that is the default one.
        try turn.withLock {
            sqlite3_vfs_register(checking, 1)
            defer { sqlite3_vfs_register(system, 1) }
            return try open()
        }
    }

    /// What SQLite is told of the journal of this name: nothing is wrong if it is private, or if there is none; there is one
    /// then if it is to be made.
    private static func check(_ path: String, isToBeMade: Bool) -> CInt {
        do throws(PrivateFiles.Failure) {
            if isToBeMade { _ = try PinnedFile.pinOrCreate(path) } else { _ = try PinnedFile.pin(path) }
            return SQLITE_OK
        } catch {
            switch error {
            case .open, .foreign, .link, .noFile: return SQLITE_PERM
            default: return SQLITE_CANTOPEN
            }
        }
    }
}
