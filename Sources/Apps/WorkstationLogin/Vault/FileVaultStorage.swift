import BluethroatPrivateFiles
public import Foundation

/// A vault in two files that only their owner may read, in a folder that only their owner may enter.
///
/// One app at a time has it: several at once do not give more attempts at the PIN.
public final class FileVaultStorage: VaultStorage {
    public let folder: URL
    /// The folder's descriptor, which is locked while this lives; nil before there is a folder.
    private var lock: CInt?

    public init(folder: URL) { self.folder = folder }

    deinit {
        guard let lock else { return }
        // A process that is just being started may have the descriptor for a moment longer, and with it the lock.
        flock(lock, LOCK_UN)
        close(lock)
    }

    public func url(of part: VaultPart) -> URL { folder.appendingPathComponent(part.rawValue) }

    public func name(of part: VaultPart) -> String { url(of: part).path }

    public func read(_ part: VaultPart) throws -> Data? {
        try claim()
        return try PrivateFiles.read(url(of: part), limit: 1 << 20)
    }

    public func write(_ bytes: Data, _ part: VaultPart) throws {
        try PrivateFiles.makeFolder(folder)
        try claim()
        try PrivateFiles.replace(url(of: part), with: bytes)
    }

    public func erase(_ part: VaultPart) throws {
        try claim()
        try PrivateFiles.erase(url(of: part))
    }

    private func claim() throws {
        guard lock == nil else { return }
        guard let descriptor = try PrivateFiles.openFolder(folder) else { return }
        // Where nothing can be locked, as on some file systems of other machines, it is done without.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            close(descriptor)
            throw PrivateFiles.Failure.failed(
                folder.path,
                "is in use by another login; end that one, or take another folder"
            )
        }
        lock = descriptor
    }
}
