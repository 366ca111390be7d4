internal import BluethroatPrivateFiles
internal import Foundation
internal import GRDBSQLite
internal import Synchronization

/// SQLite's VFS, except that a journal is opened only if it is this user's alone.
///
/// SQLite trusts any file with the name of its journal, whoever owns it. In a folder that others may write to, one of theirs would be
/// written into the database as what was there before, or would receive what is about to be changed. Here the journal is
/// made before SQLite opens it, unless it is there and private. In a folder with the sticky bit no other user can put
/// another file in its place, and `PinnedFile` refuses folders where they can.
enum OwnJournals {
    /// What there is on this system, or nil if it has none.
    private nonisolated(unsafe) static let system: UnsafeMutablePointer<sqlite3_vfs>? = sqlite3_vfs_find(nil)

    /// The same but for the way it opens files. SQLite refers to it as long as there are connections, so it is never freed.
    private nonisolated(unsafe) static let checking: UnsafeMutablePointer<sqlite3_vfs>? = system.map { system in
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: system.pointee)
        own.pointee.zName = UnsafePointer(strdup("bluethroat-own-journals"))
        own.pointee.pNext = nil
        own.pointee.xOpen = { _, name, file, flags, found in
            if let name, let file {
                let code = OwnJournals.look(at: name, flags)
                guard code == SQLITE_OK else {
                    file.pointee.pMethods = nil
                    return code
                }
            }
            return OwnJournals.system?.pointee.xOpen(OwnJournals.system, name, file, flags, found) ?? SQLITE_CANTOPEN
        }
        return own
    }

    private static let turn = NSLock()
    private static let state = Mutex(State())

    private struct State {
        /// The thread that opens a database whose journals are to be checked; nil if none does.
        var opener: pthread_t?
        /// Where those databases are, as SQLite spells it. Connections that others open meanwhile are none of ours.
        var databases: Set<String> = []
    }

    /// Connections to the database that is opened by this look whose their journals are, to their end.
    static func areChecked<Connection>(by open: () throws -> Connection) rethrows -> Connection {
        // GRDB opens databases with the default VFS.
        try turn.withLock {
            let before = sqlite3_vfs_find(nil)
            sqlite3_vfs_register(checking, 1)
            state.withLock { $0.opener = pthread_self() }
            defer {
                state.withLock { $0.opener = nil }
                sqlite3_vfs_register(before, 1)
            }
            return try open()
        }
    }

    /// What SQLite is told of a file that it is about to open.
    private static func look(at name: UnsafePointer<CChar>, _ flags: CInt) -> CInt {
        if flags & SQLITE_OPEN_MAIN_DB != 0 {
            state.withLock { state in
                guard let opener = state.opener, pthread_equal(opener, pthread_self()) != 0 else { return }
                state.databases.insert(String(cString: name))
            }
        }
        guard flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL) != 0,
            let database = sqlite3_filename_database(name).map({ String(cString: $0) }),
            state.withLock({ $0.databases.contains(database) })
        else { return SQLITE_OK }
        return check(String(cString: name), isToBeMade: flags & SQLITE_OPEN_CREATE != 0)
    }

    /// Nothing is wrong with a journal that is private. One that is to be made is there from now on; one that is only to be
    /// read has to be there now, since in a moment another user's could be.
    private static func check(_ path: String, isToBeMade: Bool) -> CInt {
        do throws(PrivateFiles.Failure) {
            if isToBeMade {
                try PinnedFile.makeSideFile(path)
            } else if try !PinnedFile.hasSideFile(path) {
                return SQLITE_CANTOPEN
            }
            return SQLITE_OK
        } catch {
            switch error {
            case .denied: return SQLITE_READONLY
            case .diskFull: return SQLITE_FULL
            case .failed, .exists, .tooLong: return SQLITE_CANTOPEN
            case .open, .foreign, .link, .noFile: return SQLITE_PERM
            }
        }
    }
}
