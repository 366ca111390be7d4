public import Foundation

/// Files that nobody else may read.
public enum PrivateFiles {
    /// What went wrong with a file, in one line.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Makes a folder of mode 0700 where there is none.
    public static func makeFolder(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure(description: "the folder \(folder.path) cannot be made")
        }
    }

    /// What is in a file; nil if there is none. Refused if others may read it, if it is theirs, or if it is no file.
    public static func read(_ file: URL) throws -> Data? {
        // Whoever is made to open a link, or a pipe, is made to do more than to read.
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw Failure(description: "\(file.path) is a link to somewhere else")
            default: throw Failure(description: "\(file.path) cannot be read; who may is said by its owner and mode")
            }
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(description: "\(file.path) is no file")
        }
        guard status.st_uid == geteuid() else {
            throw Failure(description: "\(file.path) belongs to another user")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw Failure(description: "\(file.path) is open to others (mode \(mode)): chmod 600 it")
        }
        guard let bytes = try? handle.readToEnd() ?? Data() else {
            throw Failure(description: "\(file.path) cannot be read")
        }
        return bytes
    }

    /// Has a file of mode 0600 with these bytes, or the one that was there before if anything goes wrong.
    public static func replace(_ file: URL, with bytes: Data) throws {
        let temporary = temporary(for: file)
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "\(temporary) cannot be written; may you write to its folder?")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
            try handle.close()
        } catch {
            unlink(temporary)
            throw Failure(description: "\(temporary) cannot be written; is the disk full?")
        }
        guard rename(temporary, file.path) == 0 else {
            unlink(temporary)
            throw Failure(description: "\(file.path) cannot be replaced")
        }
        // So that the name is on the disk, too.
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    /// Writes over what was there before it is taken away, and over what a crash has left beside it. A disk may keep
    /// older copies all the same.
    public static func erase(_ file: URL) throws {
        for path in [file.path, temporary(for: file)] {
            let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                let length = (try? handle.seekToEnd()) ?? 0
                try? handle.seek(toOffset: 0)
                try? handle.write(contentsOf: Data(count: Int(length)))
                try? handle.synchronize()
                try? handle.close()
            }
            guard unlink(path) == 0 || errno == ENOENT else {
                throw Failure(description: "\(path) cannot be removed")
            }
        }
    }

    private static func temporary(for file: URL) -> String { file.path + ".new" }
}
