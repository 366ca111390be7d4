import BluethroatEvents
import Foundation

/// A file of results, or the pipe or device that is in its place. A file that was there before stays whole until the new one is.
struct ResultFile {
    /// As it was given.
    let path: String

    init(_ path: String) { self.path = path }

    /// Whether it can be written to, as far as can be said before there is anything to write.
    func check() throws(OperationFailure) {
        guard !path.isEmpty else { throw OperationFailure("cannot write a file without a name; give one") }
        try refuseForeignLinks()
        guard let found = try status() else {
            guard Self.isFolder(folder), access(folder, W_OK) == 0 else { throw failure(ENOENT) }
            return
        }
        if found.isFolder { throw OperationFailure("cannot write \(path): it is a directory") }
        guard access(path, W_OK) == 0 else {
            throw OperationFailure("cannot write \(path): it may not be changed; choose another file")
        }
        // What is written there by others, standard output with `>> log` for instance, would be lost.
        if found.isFile, OpenPath.isOne(path) {
            throw OperationFailure("cannot write \(path): it is open already; give the name of a file, or -")
        }
    }

    /// Whether both are one file, by whatever names. What is no file, such as /dev/null, can be written to twice.
    func isSame(as other: ResultFile) -> Bool {
        if let one = try? status(), let two = try? other.status() { return one.isFile && one.isSame(as: two) }
        // Neither is there yet, or they are two.
        var (one, two) = (stat(), stat())
        return access(path, F_OK) != 0 && access(other.path, F_OK) != 0
            && stat(folder, &one) == 0 && stat(other.folder, &two) == 0 && one.isSame(as: two)
            && target.lastPathComponent == other.target.lastPathComponent
    }

    func write(_ text: String) throws(OperationFailure) {
        try refuseForeignLinks()
        guard let found = try status() else { return _ = try replace(nil, with: text) }
        // A pipe or a device keeps nothing, and has to be written to itself.
        guard found.isFile else { return try put(text, into: open(path, O_WRONLY | O_CLOEXEC)) }
        if try replace(found, with: text) { return }
        try put(text, into: open(path, O_WRONLY | O_TRUNC | O_CLOEXEC))
    }

    /// Writes a new file beside the one that is there, and puts it in its place.
    ///
    /// - Returns: false where no other file may take its place: in a folder that may not be changed, or where a container
    ///   has a file of its host.
    private func replace(_ found: stat?, with text: String) throws(OperationFailure) -> Bool {
        // The name is as long for all, and is of use to one process, or thread, only.
        let new = "\(folder)/bluethroat-\(String(UInt64.random(in: .min ... .max), radix: 16)).new"
        let mode = found.map { $0.st_mode & 0o777 } ?? 0o666
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return try refused(errno, found) }
        if let found {
            // Who was given a file by root keeps it.
            if geteuid() == 0 { _ = fchown(descriptor, found.st_uid, found.st_gid) }
            _ = fchmod(descriptor, mode)
        }
        do throws(OperationFailure) { try put(text, into: descriptor) } catch {
            unlink(new)
            throw error
        }
        if rename(new, target.path) == 0 { return true }
        let code = errno
        unlink(new)
        return try refused(code, found)
    }

    private func refused(_ code: CInt, _ found: stat?) throws(OperationFailure) -> Bool {
        guard found != nil, [EACCES, EPERM, EROFS, EBUSY].contains(code) else { throw failure(code) }
        return false
    }

    /// Writes all of it to the disk, and closes the file.
    private func put(_ text: String, into descriptor: CInt) throws(OperationFailure) {
        guard descriptor >= 0 else { throw failure(errno) }
        var reason: CInt = 0
        var rest = Array(text.utf8)[...]
        while reason == 0, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 {
                reason = ENOSPC
            } else if errno != EINTR {
                reason = errno
            }
        }
        // Some file systems say only now that there was no room. Pipes and devices have no disk.
        if reason == 0, fsync(descriptor) != 0, [ENOSPC, EDQUOT, EFBIG, EIO].contains(errno) { reason = errno }
        if close(descriptor) != 0, reason == 0, errno != EINTR { reason = errno }
        if reason != 0 { throw failure(reason) }
    }

    // MARK: Where it is

    /// What is there; nil if nothing is. A pipe of another user is refused, unless it is open already, as behind `sudo`: to open it
    /// may take until that one opens it, too.
    private func status() throws(OperationFailure) -> stat? {
        var found = stat()
        guard stat(path, &found) == 0 else {
            guard errno == ENOENT else { throw failure(errno) }
            return nil
        }
        guard !found.isPipe || found.st_uid == geteuid() || OpenPath.isOne(path) else {
            throw OperationFailure("cannot write \(path): it is a pipe of another user; choose another file")
        }
        return found
    }

    /// The file that links lead to, whether or not it is there: a link stays one.
    private var target: URL { way.target }

    /// The links under the path, and the file that they lead to.
    private var way: (links: [URL], target: URL) {
        var links: [URL] = [], file = URL(fileURLWithPath: path)
        // Linux follows as many.
        while links.count < 40, let next = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path) {
            links.append(file)
            file = URL(fileURLWithPath: next, relativeTo: file.deletingLastPathComponent()).absoluteURL
        }
        return (links, file)
    }

    /// Where everybody may leave files, as in /tmp, a link of another user leads where that one wants. Linux does not follow it
    /// either, unless `fs.protected_symlinks` is 0.
    private func refuseForeignLinks() throws(OperationFailure) {
        for link in way.links {
            var (itself, folder) = (stat(), stat())
            guard lstat(link.path, &itself) == 0, stat(link.deletingLastPathComponent().path, &folder) == 0,
                folder.st_mode & (S_ISVTX | S_IWOTH) == S_ISVTX | S_IWOTH, itself.st_uid != geteuid(),
                itself.st_uid != folder.st_uid
            else { continue }
            throw OperationFailure("cannot write \(path): it is a link of another user; choose another file")
        }
    }

    private var folder: String { target.deletingLastPathComponent().path }

    private static func isFolder(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.isFolder
    }

    private func failure(_ code: CInt) -> OperationFailure {
        let reason =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: "the disk is full; make room"
            case EPIPE: "nobody reads there any more"
            case ENOENT, ENOTDIR: "there is no directory for it that can be written to"
            case ENAMETOOLONG: "its name is too long; give a shorter one"
            default: "\(String(cString: strerror(code)).lowercased()); choose another file"
            }
        return OperationFailure("cannot write \(path): \(reason)")
    }
}

extension stat {
    fileprivate var isFile: Bool { st_mode & S_IFMT == S_IFREG }
    fileprivate var isPipe: Bool { st_mode & S_IFMT == S_IFIFO }
    fileprivate var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    fileprivate func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}
