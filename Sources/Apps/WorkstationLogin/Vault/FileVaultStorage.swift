import BluethroatPrivateFiles
public import Foundation

/// A vault in two files that only their owner may read, in a folder that only their owner may enter.
///
/// One app at a time has it: several at once do not give more attempts at the PIN.
public final class FileVaultStorage: VaultStorage {
    public let folder: URL
    /// Of the folder; nil before there is one.
    private var lock: FileLock?

    public init(folder: URL) { self.folder = folder }

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
        lock = FileLock(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
        guard lock != nil else {
            throw PrivateFiles.Failure.failed(
                folder.path,
                "is in use by another login; end that one, or take another folder"
            )
        }
    }
}
