public import Foundation

/// The right to a file or a folder, which one owner has at a time. It ends with this object, and with the process.
public final class FileLock: Sendable {
    private let handle: FileHandle

    /// Locks what is open; nil if somebody else has it. Where nothing can be locked, as on some file systems of other machines,
    /// it is done without.
    public init?(_ handle: FileHandle) {
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        self.handle = handle
    }

    /// For a file that is another one after each change: locks `FILE.lock` beside it. Nil if somebody else has it.
    public convenience init?(beside file: URL) throws(PrivateFiles.Failure) { self.init(try Self.open(beside: file)) }

    /// The same, once all others are done; throws where nothing can be locked.
    public init(waitingBeside file: URL) throws(PrivateFiles.Failure) {
        handle = try Self.open(beside: file)
        while flock(handle.fileDescriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw .failed(file.path, "cannot be locked: \(String(cString: strerror(errno)))")
            }
        }
    }

    private static func open(beside file: URL) throws(PrivateFiles.Failure) -> FileHandle {
        try PrivateFiles.openOrCreate(URL(fileURLWithPath: file.path + ".lock"))
    }

    /// A process that is just being started may have the descriptor for a moment longer, and with it the lock.
    deinit { flock(handle.fileDescriptor, LOCK_UN) }
}
