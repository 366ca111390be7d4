internal import Foundation

/// A private file that a library opens by its name, as SQLite does.
///
/// It is checked before, and `confirm` says after the library has opened it whether the name still leads to the file
/// that was checked. The file is not opened for reading or writing here: closing such a descriptor would drop the locks
/// that the process has on the file (`fcntl(2)`), those of SQLite among them.
public struct PinnedFile: ~Copyable {
    /// What SQLite puts beside a file while it writes. Where there is one it has to be private, too.
    public static let sideFiles = ["-journal", "-wal", "-shm"]

    /// In bytes, when it was checked.
    public let size: Int
    private let path: String
    private let descriptor: CInt
    private let device: dev_t
    private let inode: ino_t
    private let names: nlink_t

    /// The file of this name; nil if there is none. Its folder and its side files are checked in either case.
    public static func find(_ path: String) throws(PrivateFiles.Failure) -> PinnedFile? {
        try checkBeside(path)
        return try pin(path)
    }

    /// The file of this name, a new and empty one where there was none.
    public static func creating(_ path: String) throws(PrivateFiles.Failure) -> PinnedFile {
        try checkBeside(path)
        return try pinOrCreate(path)
    }

    private init(_ path: String, _ descriptor: CInt, _ status: stat) {
        self.path = path
        self.descriptor = descriptor
        (device, inode, names) = (status.st_dev, status.st_ino, status.st_nlink)
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Fails if the name leads to another file by now, or if the file is not private any more.
    public func confirm() throws(PrivateFiles.Failure) {
        guard let now = try Self.find(path), now.device == device, now.inode == inode else {
            throw .failed(path, "was replaced by another file while it was opened")
        }
    }

    private static func checkBeside(_ path: String) throws(PrivateFiles.Failure) {
        try PrivateFiles.checkNamesStay(inFolderOf: path)
        for sideFile in sideFiles { _ = try hasSideFile(path + sideFile) }
    }

    /// Whether there is a file beside another one, as SQLite makes them. It has to be private, and to have no other name: what is
    /// written to it would be written to a file that the user has elsewhere.
    package static func hasSideFile(_ path: String) throws(PrivateFiles.Failure) -> Bool {
        guard let file = try pin(path) else { return false }
        try file.checkOnlyName()
        return true
    }

    /// The same, with a new and empty one where there was none.
    package static func makeSideFile(_ path: String) throws(PrivateFiles.Failure) {
        try pinOrCreate(path).checkOnlyName()
    }

    private func checkOnlyName() throws(PrivateFiles.Failure) {
        guard names <= 1 else { throw .failed(path, "is a hard link of another file; remove it") }
    }

    private static func pinOrCreate(_ path: String) throws(PrivateFiles.Failure) -> PinnedFile {
        // Between two looks another process may make the file, or remove it.
        for _ in 0..<10 {
            if let file = try pin(path) { return file }
            do throws(PrivateFiles.Failure) { _ = try PrivateFiles.create(path) } catch .exists {}
        }
        throw .failed(path, "is made and removed by another program all the time")
    }

    /// A file as it is, without a look at what is beside it; nil if there is none.
    private static func pin(_ path: String) throws(PrivateFiles.Failure) -> PinnedFile? {
        #if os(Linux)
            // O_PATH, which Glibc's module does not have. It keeps the file in existence, and so its number from being
            // given to another one.
            let flags = 0o10_000_000 | O_NOFOLLOW | O_CLOEXEC
        #else
            let flags = O_EVTONLY | O_SYMLINK | O_CLOEXEC
        #endif
        let descriptor = open(path, flags)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw PrivateFiles.Failure(errno: errno, path)
        }
        var status = stat()
        do throws(PrivateFiles.Failure) {
            guard fstat(descriptor, &status) == 0 else { throw PrivateFiles.Failure(errno: errno, path) }
            try PrivateFiles.check(status, path)
        } catch {
            close(descriptor)
            throw error
        }
        return PinnedFile(path, descriptor, status)
    }
}
