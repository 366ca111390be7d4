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
        let place = try place()
        guard let found = place.found else {
            guard Self.isFolder(place.folder), access(place.folder, W_OK) == 0 else { throw failure(ENOENT) }
            return
        }
        if found.isFolder { throw OperationFailure("cannot write \(path): it is a directory") }
        guard access(place.path, W_OK) == 0 else {
            throw OperationFailure("cannot write \(path): it may not be changed; choose another file")
        }
        // What is written there by others, standard output with `>> log` for instance, would be lost.
        if found.isFile, place.isOpen {
            throw OperationFailure("cannot write \(path): it is open already; give the name of a file, or -")
        }
    }

    /// Whether both are one file, by whatever names. What is no file, such as /dev/null, can be written to twice.
    func isSame(as other: ResultFile) -> Bool {
        var (one, two) = (stat(), stat())
        if stat(path, &one) == 0, stat(other.path, &two) == 0 { return one.isFile && one.isSame(as: two) }
        // Neither is there yet, or they are two.
        guard let place = try? place(), let others = try? other.place() else { return false }
        return place.found == nil && others.found == nil && stat(place.folder, &one) == 0
            && stat(others.folder, &two) == 0 && one.isSame(as: two) && place.name == others.name
    }

    func write(_ text: String) throws(OperationFailure) {
        let place = try place()
        guard let found = place.found else { return _ = try replace(place, with: text) }
        // A pipe or a device keeps nothing, and has to be written to itself.
        if found.isFile, try replace(place, with: text) { return }
        try put(text, into: open(place, found))
    }

    /// Writes a new file beside the one that is there, and puts it in its place.
    ///
    /// - Returns: false where no other file may take its place: in a folder that may not be changed, or where a container
    ///   has a file of its host.
    private func replace(_ place: Place, with text: String) throws(OperationFailure) -> Bool {
        let found = place.found
        // The name is as long for all, and is of use to one process, or thread, only.
        let new = "\(place.folder)/bluethroat-\(String(UInt64.random(in: .min ... .max), radix: 16)).new"
        let mode = found.map { $0.st_mode & 0o777 } ?? 0o666
        let descriptor = Foundation.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
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
        if rename(new, place.path) == 0 { return true }
        let code = errno
        unlink(new)
        return try refused(code, found)
    }

    private func refused(_ code: CInt, _ found: stat?) throws(OperationFailure) -> Bool {
        guard found != nil, [EACCES, EPERM, EROFS, EBUSY].contains(code) else { throw failure(code) }
        return false
    }

    /// Opens what is there, and takes away what is in it; fails if it is another thing by now.
    private func open(_ place: Place, _ found: stat) throws(OperationFailure) -> CInt {
        // What was a file is not waited for if it is a pipe by now.
        let flags = (place.isOpen ? 0 : O_NOFOLLOW) | (found.isFile ? O_NONBLOCK : 0)
        let descriptor = Foundation.open(place.path, O_WRONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { throw failure(errno) }
        var opened = stat()
        guard fstat(descriptor, &opened) == 0, opened.isSame(as: found) else {
            close(descriptor)
            throw OperationFailure("cannot write \(path): it is changed all the time; choose another file")
        }
        if found.isFile, ftruncate(descriptor, 0) != 0 {
            let code = errno
            close(descriptor)
            throw failure(code)
        }
        return descriptor
    }

    /// Writes all of it to the disk, and closes the file.
    private func put(_ text: String, into descriptor: CInt) throws(OperationFailure) {
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

    /// What the path leads to.
    private struct Place {
        var path: String
        /// Nil if nothing is there.
        var found: stat?

        /// Whether this process has it open already.
        var isOpen: Bool { OpenPath.isOne(path) }

        var folder: String {
            guard let slash = path.lastIndex(of: "/") else { return "." }
            return slash == path.startIndex ? "/" : String(path[..<slash])
        }

        var name: Substring? { path.split(separator: "/").last }
    }

    /// Follows the links that the name leads to, one by one, each as it was checked: what is done afterwards is done where they led
    /// to now, whatever becomes of them. A link stays one.
    private func place() throws(OperationFailure) -> Place {
        var place = Place(path: path)
        // Linux follows as many.
        for _ in 0...40 {
            if let next = try step(&place) { place = Place(path: next) } else { return place }
        }
        throw failure(ELOOP)
    }

    /// Finds out what is there, and where it leads if it is a link; nil if it is none.
    private func step(_ place: inout Place) throws(OperationFailure) -> String? {
        try refuseForeignFolders(to: place.folder)
        // O_PATH, which Glibc's module does not have: a link is opened itself.
        let link: CInt = place.isOpen ? 0 : O_NOFOLLOW
        let descriptor = Foundation.open(place.path, 0o10_000_000 | link | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure(errno) }
            return nil
        }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw failure(errno) }
        guard found.isLink else {
            // To open another user's pipe may take until that one opens it, too; behind `sudo` it is open.
            guard !found.isPipe || found.st_uid == geteuid() || place.isOpen else {
                throw OperationFailure("cannot write \(path): it is a pipe of another user; choose another file")
            }
            if found.isFile, !place.isOpen { try refuseForeign(found, in: place.folder, "a file") }
            place.found = found
            return nil
        }
        try refuseForeign(found, in: place.folder, "a link")
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(descriptor, "", &target, target.count)
        guard count > 0 else { throw failure(errno) }
        guard let next = String(validating: target.prefix(count), as: UTF8.self) else { throw failure(ENOENT) }
        return next.hasPrefix("/") ? next : "\(place.folder)/\(next)"
    }

    /// Where everybody may leave files, as in /tmp, a link of another user leads where that one wants, and a file of his is for him
    /// to read. In a folder with the sticky bit Linux does not follow or open them either, unless `fs.protected_symlinks` and
    /// `fs.protected_regular` are 0.
    private func refuseForeign(_ found: stat, in folder: String, _ kind: String) throws(OperationFailure) {
        var around = stat()
        guard stat(folder, &around) == 0 else { throw failure(errno) }
        guard around.st_mode & S_IWOTH == 0 || found.st_uid == geteuid() || found.st_uid == around.st_uid else {
            throw OperationFailure("cannot write \(path): it is \(kind) of another user; choose another file")
        }
    }

    /// The same for links to folders on the way, one after the other. What is exchanged afterwards is not noticed.
    private func refuseForeignFolders(to folder: String) throws(OperationFailure) {
        var around = folder.hasPrefix("/") ? "/" : ".", names = Self.names(folder), links = 0
        while let name = names.popLast() {
            let next = around == "/" ? "/\(name)" : "\(around)/\(name)"
            var found = stat()
            guard lstat(next, &found) == 0, found.isLink else {
                around = next
                continue
            }
            try refuseForeign(found, in: around, "behind a link")
            links += 1
            guard links <= 40, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
                throw failure(ELOOP)
            }
            if target.hasPrefix("/") { around = "/" }
            names += Self.names(target)
        }
    }

    /// The parts of a path, the last one first.
    private static func names(_ path: String) -> [Substring] { path.split(separator: "/").reversed() }

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
    fileprivate var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
    fileprivate var isPipe: Bool { st_mode & S_IFMT == S_IFIFO }
    fileprivate var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    fileprivate func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}
