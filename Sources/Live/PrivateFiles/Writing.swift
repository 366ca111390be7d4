public import Foundation

extension PrivateFiles {
    /// Makes a file of mode 0600 that was not there before, with these bytes in it. Where that fails there is none.
    public static func create(_ file: URL, with bytes: Data) throws(Failure) {
        let handle = try create(file.path)
        do throws(Failure) { try write(bytes, to: handle, file.path) } catch {
            unlink(file.path)
            throw error
        }
        syncFolder(of: file)
    }

    /// Has a file of mode 0600 with these bytes, or the one that was there before if anything goes wrong.
    public static func replace(_ file: URL, with bytes: Data) throws(Failure) {
        let temporary = temporary(for: file)
        unlink(temporary)
        let handle = try create(temporary)
        do throws(Failure) {
            try write(bytes, to: handle, file.path)
            guard rename(temporary, file.path) == 0 else { throw Failure(errno: errno, file.path) }
        } catch {
            unlink(temporary)
            throw error
        }
        syncFolder(of: file)
    }

    /// A file to write to from its beginning, by and by: a new one, or a private one that was there. That one is as it was
    /// until `empty`, so that what is refused for another reason takes nothing away.
    ///
    /// - Parameters:
    ///   - admitsDevices: whether it may be a character device, such as `/dev/null`.
    ///   - isOfKind: whether what a file begins with is what may be emptied. At most 16 bytes; not asked for an empty file.
    ///   - kind: what is written, for the error where a file of another kind is there, which stays as it is.
    public static func openForWriting(
        _ file: URL,
        admitsDevices: Bool = false,
        over kind: String,
        where isOfKind: ([UInt8]) -> Bool
    ) throws(Failure) -> (handle: FileHandle, isNew: Bool) {
        let (handle, isNew) = try openOrCreate(file.path, O_RDWR, admitsDevices: admitsDevices)
        var head = [UInt8](repeating: 0, count: 16), found = stat()
        let count = pread(handle.fileDescriptor, &head, head.count, 0)
        if fstat(handle.fileDescriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG, count > 0,
            !isOfKind(Array(head.prefix(count)))
        {
            throw .failed(file.path, "is no \(kind), and would be lost; name another file")
        }
        return (handle, isNew)
    }

    /// Empties a file that was opened. A device has no length.
    public static func empty(_ handle: FileHandle, _ path: String) throws(Failure) {
        guard ftruncate(handle.fileDescriptor, 0) == 0 || errno == EINVAL else { throw Failure(errno: errno, path) }
    }

    /// A file to read and write, such as one for a lock: a new one, or a private one that was there, left as it is.
    public static func openOrCreate(_ file: URL) throws(Failure) -> FileHandle {
        try openOrCreate(file.path, O_RDWR).handle
    }

    private static func openOrCreate(
        _ path: String,
        _ flags: CInt,
        admitsDevices: Bool = false
    ) throws(Failure) -> (handle: FileHandle, isNew: Bool) {
        // Between two looks another process may make the file, or remove it.
        for _ in 0..<10 {
            if let handle = try open(path, flags, admitsDevices: admitsDevices) { return (handle, false) }
            do throws(Failure) { return (try create(path), true) } catch .exists {}
        }
        throw .failed(path, "is made and removed by another program all the time")
    }

    /// Writes over what was there before it is taken away, and over what a crash has left beside it. A disk may keep
    /// older copies all the same.
    public static func erase(_ file: URL) throws(Failure) {
        for path in [file.path, temporary(for: file)] {
            // What is not ours alone is removed, and not written over.
            if let handle = try? open(path, O_WRONLY) {
                let length = (try? handle.seekToEnd()) ?? 0
                try? handle.seek(toOffset: 0)
                try? handle.write(contentsOf: Data(count: Int(length)))
                try? handle.synchronize()
                try? handle.close()
            }
            guard unlink(path) == 0 || errno == ENOENT else { throw .failed(path, "cannot be removed") }
        }
    }

    /// A new file, empty, of mode 0600 from its first moment on.
    static func create(_ path: String) throws(Failure) -> FileHandle {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(errno: errno, path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Has these bytes behind the first ones of a file that is open for reading and writing, on the disk, and nothing behind
    /// them. Where that fails the file may end in a part of them.
    ///
    /// - Parameter offset: how many bytes stay, at most as many as there are.
    public static func write(
        _ bytes: Data,
        behind offset: Int,
        in handle: FileHandle,
        _ path: String
    ) throws(Failure) {
        guard ftruncate(handle.fileDescriptor, off_t(offset)) == 0,
            lseek(handle.fileDescriptor, off_t(offset), SEEK_SET) == off_t(offset)
        else { throw Failure(errno: errno, path) }
        try writeAll(bytes, to: handle, path)
    }

    /// All of it, on the disk, and the file is closed.
    private static func write(_ bytes: Data, to handle: FileHandle, _ path: String) throws(Failure) {
        try writeAll(bytes, to: handle, path)
        // Some file systems say only now that there was no room.
        do { try handle.close() } catch { throw .diskFull(path) }
    }

    private static func writeAll(_ bytes: Data, to handle: FileHandle, _ path: String) throws(Failure) {
        var rest = [UInt8](bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw Failure(errno: count < 0 ? errno : ENOSPC, path)
            }
            rest = rest.dropFirst(count)
        }
        guard fsync(handle.fileDescriptor) == 0 else { throw Failure(errno: errno, path) }
    }

    /// So that the name is on the disk, too.
    private static func syncFolder(of file: URL) {
        let folder = Foundation.open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func temporary(for file: URL) -> String { file.path + ".new" }
}
