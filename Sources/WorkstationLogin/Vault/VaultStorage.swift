public import Foundation

/// Where a vault keeps its two parts. What is written is there after a crash, or what was there before is.
public protocol VaultStorage: AnyObject {
    func read(_ part: VaultPart) throws -> Data?
    func write(_ bytes: Data, _ part: VaultPart) throws
    func erase(_ part: VaultPart) throws
}

/// The two parts of a vault, neither of which opens anything without the other.
public enum VaultPart: String, CaseIterable, Sendable {
    /// What is sealed.
    case credentials
    /// The device's key, and how often a wrong PIN was entered.
    case deviceKey = "device-key"
}

/// A vault that lasts as long as the process.
public final class MemoryVaultStorage: VaultStorage {
    public var parts: [VaultPart: Data]

    public init(_ parts: [VaultPart: Data] = [:]) { self.parts = parts }

    public func read(_ part: VaultPart) -> Data? { parts[part] }
    public func write(_ bytes: Data, _ part: VaultPart) { parts[part] = bytes }
    public func erase(_ part: VaultPart) { parts[part] = nil }
}

/// A vault in two files that only their owner may read, in a folder that only their owner may enter.
public final class FileVaultStorage: VaultStorage {
    /// What went wrong with a file, in one line.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let folder: URL

    public init(folder: URL) { self.folder = folder }

    public func url(of part: VaultPart) -> URL { folder.appendingPathComponent(part.rawValue) }

    public func read(_ part: VaultPart) throws -> Data? {
        let path = url(of: part).path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do { return try Data(contentsOf: url(of: part)) } catch {
            throw Failure(description: "\(path) cannot be read; who may is said by its owner and mode")
        }
    }

    public func write(_ bytes: Data, _ part: VaultPart) throws {
        try PrivateFiles.makeFolder(folder)
        try PrivateFiles.replace(url(of: part), with: bytes)
    }

    /// Writes over what was there before it is taken away. A disk may keep older copies all the same.
    public func erase(_ part: VaultPart) throws {
        let path = url(of: part).path
        guard let handle = FileHandle(forUpdatingAtPath: path) else { return }
        let length = (try? handle.seekToEnd()) ?? 0
        try? handle.seek(toOffset: 0)
        try? handle.write(contentsOf: Data(count: Int(length)))
        try? handle.synchronize()
        try? handle.close()
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure(description: "\(path) cannot be removed") }
    }
}

/// Files that nobody else may read.
public enum PrivateFiles {
    /// Makes a folder of mode 0700 where there is none.
    public static func makeFolder(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw FileVaultStorage.Failure(description: "the folder \(folder.path) cannot be made")
        }
    }

    /// Has a file of mode 0600 with these bytes, or the one that was there before if anything goes wrong.
    public static func replace(_ file: URL, with bytes: Data) throws {
        let temporary = file.path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FileVaultStorage.Failure(description: "\(temporary) cannot be written; may you write to its folder?")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
            try handle.close()
        } catch {
            unlink(temporary)
            throw FileVaultStorage.Failure(description: "\(temporary) cannot be written; is the disk full?")
        }
        guard rename(temporary, file.path) == 0 else {
            throw FileVaultStorage.Failure(description: "\(file.path) cannot be replaced")
        }
        // So that the name is on the disk, too.
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }
}
