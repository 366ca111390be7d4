internal import BluethroatPrivateFiles
internal import Foundation

/// The file of a bond database as the operating system sees it: its directory, its mode, its name.
///
/// It never opens the file itself where SQLite may have it open. To close any descriptor of a file drops all locks that the
/// process has on it, those of SQLite among them.
struct BondFile {
    let path: String

    /// The path with symbolic links on the way to its folder followed, so that SQLite's journal lies beside the file. The
    /// file itself must not be a link: what it leads to would be moved if it were no bond file.
    init(_ path: String) throws(BondDatabaseError) {
        guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else { throw .notAFile(path: path) }
        let named = BondFile(unchecked: path)
        guard let folder = Self.realPath(named.directory) else {
            // It may still have to be made.
            guard errno == ENOENT else { throw BondDatabaseError(errno: errno, path: path) }
            self.path = path
            return
        }
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        self.path = (folder == "/" ? "" : folder) + "/" + name
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    var directory: String { PrivateFiles.folder(of: path) }

    /// What SQLite puts beside the file while it writes.
    static let sideFiles = PinnedFile.sideFiles

    /// The file, checked to be this user's alone; nil if there is none.
    func pin() throws(BondDatabaseError) -> PinnedFile? {
        do throws(PrivateFiles.Failure) { return try PinnedFile.find(path) } catch { throw BondDatabaseError(error) }
    }

    /// Whether a file that SQLite does not take may be a damaged one of its own: it begins like one, as far as it goes, or a
    /// crash has left zeros there.
    var mayHaveBeenDatabase: Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        let beginning = Array("SQLite format 3\0".utf8)
        var head = [UInt8](repeating: 0, count: beginning.count)
        let count = read(descriptor, &head, head.count)
        head.removeLast(head.count - max(0, count))
        return beginning.starts(with: head) || head.allSatisfy { $0 == 0 }
    }

    /// Makes the directories that are missing, for this user alone.
    func makeDirectories() throws(BondDatabaseError) {
        var missing: [String] = []
        var rest = directory
        var status = stat()
        while stat(rest, &status) != 0 {
            guard errno == ENOENT else { throw BondDatabaseError(errno: errno, path: path) }
            missing.append(rest)
            guard let slash = rest.lastIndex(of: "/") else { break }
            rest = slash == rest.startIndex ? "/" : String(rest[..<slash])
        }
        for name in missing.reversed() where mkdir(name, 0o700) != 0 && errno != EEXIST {
            throw BondDatabaseError(errno: errno, path: path)
        }
    }

    // MARK: Alone in the directory

    /// Does something that no other process does at the same time to a bond file of this directory.
    func alone<Result>(_ body: () throws(BondDatabaseError) -> Result) throws(BondDatabaseError) -> Result {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BondDatabaseError(errno: errno, path: path) }
        defer { close(descriptor) }
        var patience = 1_000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, patience > 0 else {
                // A file system without locks has no second process to be afraid of either, most likely.
                if errno == ENOTSUP || errno == ENOSYS || errno == EINVAL { break }
                throw BondDatabaseError(errno: errno, path: path)
            }
            patience -= 1
            usleep(10_000)
        }
        return try body()
    }

    // MARK: Coming and going

    /// A file of the same kind under a name of its own, empty and for this user alone.
    func beginReplacement() throws(BondDatabaseError) -> BondFile {
        let new = BondFile(unchecked: path + ".new")
        // Left by a process that was ended halfway; nothing in it was ever reported as saved.
        new.erase()
        let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BondDatabaseError(errno: errno, path: path) }
        close(descriptor)
        return new
    }

    /// Takes the place of `file`, all at once, and for good.
    func move(to file: BondFile) throws(BondDatabaseError) {
        guard rename(path, file.path) == 0 else { throw BondDatabaseError(errno: errno, path: file.path) }
        file.syncDirectory()
    }

    /// Removes the file and what lies beside it.
    func erase() {
        for suffix in [""] + Self.sideFiles { unlink(path + suffix) }
    }

    /// Gives the file another name, with what lies beside it, and says which. Nothing is deleted.
    func moveAside() throws(BondDatabaseError) -> String {
        var number = 1
        while exists("\(path).damaged-\(number)") { number += 1 }
        let new = "\(path).damaged-\(number)"
        // The file goes last: a journal without its file would be taken for that of the next one.
        for suffix in Self.sideFiles + [""] where exists(path + suffix) {
            guard rename(path + suffix, new + suffix) == 0 else { throw BondDatabaseError(errno: errno, path: path) }
        }
        syncDirectory()
        return new
    }

    /// Whether a journal lies there without a file.
    var hasStraySideFiles: Bool { !exists(path) && Self.sideFiles.contains { exists(path + $0) } }

    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private init(unchecked path: String) { self.path = path }

    private func syncDirectory() {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
