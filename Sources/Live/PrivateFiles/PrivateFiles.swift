public import Foundation

/// Files that hold secrets: for their owner alone.
///
/// A file is refused if it belongs to another user, if group or others may read or write it, and if it is a symbolic
/// link or anything else but a regular file. What is checked is the open descriptor, so that no other file can be put
/// in its place between the check and the use.
public enum PrivateFiles {
    /// What is in a file; nil if there is none.
    ///
    /// - Parameter limit: in bytes; a longer file is refused, and is not read.
    public static func read(_ file: URL, limit: Int = 64 << 20) throws(Failure) -> Data? {
        guard let handle = try open(file.path, O_RDONLY) else { return nil }
        do {
            // One byte more than may be there, since the file may grow meanwhile.
            let bytes = try handle.read(upToCount: min(limit, .max - 1) + 1) ?? Data()
            guard bytes.count <= limit else { throw Failure.tooLong(file.path, limit: limit) }
            return bytes
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .failed(file.path, "cannot be read")
        }
    }

    /// The same as text in UTF-8.
    public static func readText(_ file: URL, limit: Int = 1 << 20) throws(Failure) -> String? {
        guard let bytes = try read(file, limit: limit) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failed(file.path, "is no text in UTF-8")
        }
        return text
    }

    /// Opens a file that is there; nil if there is none.
    ///
    /// - Parameter flags: those of `open(2)`. `O_CREAT` and `O_TRUNC` are not for this: they act before the check.
    static func open(_ path: String, _ flags: CInt, admitsDevices: Bool = false) throws(Failure) -> FileHandle? {
        // Without O_NONBLOCK a pipe in place of the file would make us wait for its other end.
        let descriptor = Foundation.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(errno: errno, path)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try check(descriptor, path, admitsDevices: admitsDevices)
        return handle
    }

    /// Refuses what is open under this descriptor unless it is a private file.
    static func check(_ descriptor: CInt, _ path: String, admitsDevices: Bool = false) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(errno: errno, path) }
        // Only root can make a device, and it keeps nothing.
        if admitsDevices, status.st_mode & S_IFMT == S_IFCHR { return }
        try check(status, path)
    }

    static func check(_ status: stat, _ path: String) throws(Failure) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw .link(path)
        default: throw .noFile(path)
        }
        try checkOwner(status, path, chmod: "600")
    }

    /// - Parameter chmod: the mode that puts it right.
    static func checkOwner(_ status: stat, _ path: String, chmod: String) throws(Failure) {
        guard status.st_uid == geteuid() else { throw .foreign(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw .open(path, mode: UInt32(status.st_mode) & 0o777, chmod: chmod)
        }
    }
}
