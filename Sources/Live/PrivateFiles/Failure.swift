internal import Foundation

extension PrivateFiles {
    /// Why a private file cannot be used.
    public enum Failure: Error, Hashable, Sendable {
        /// Group or others may read or write it. `chmod` is the mode that puts it right.
        case open(String, mode: UInt32, chmod: String)
        /// It belongs to another user.
        case foreign(String)
        /// It is a symbolic link.
        case link(String)
        /// It is a folder, a pipe, a socket or a device.
        case noFile(String)
        /// There is one of this name already.
        case exists(String)
        /// It has more bytes than such a file may have.
        case tooLong(String, limit: Int)
        case denied(String)
        case diskFull(String)
        /// Anything else, in words that go behind the file's name.
        case failed(String, String)
    }
}

extension PrivateFiles.Failure {
    /// What an error number of the operating system means for the file at `path`.
    init(errno code: CInt, _ path: String) {
        switch code {
        case ELOOP: self = .link(path)
        // The other end of a pipe is missing, or it is a socket.
        case ENXIO, EISDIR, ENOTDIR: self = .noFile(path)
        case EEXIST: self = .exists(path)
        case EACCES, EPERM: self = Self.isForeign(path) ? .foreign(path) : .denied(path)
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull(path)
        case EMFILE, ENFILE:
            self = .failed(path, "cannot be opened: there are too many open files; raise the limit with ulimit -n")
        case EROFS: self = .failed(path, "cannot be written: the file system is read-only; name a file on another one")
        default: self = .failed(path, "cannot be used: \(String(cString: strerror(code)).lowercased())")
        }
    }

    private static func isForeign(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_uid != geteuid()
    }
}

extension PrivateFiles.Failure: CustomStringConvertible {
    /// One line that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .open(let path, let mode, let chmod):
            "\(path) is open to others (mode \(String(mode, radix: 8))): chmod \(chmod) \(path)"
        case .foreign(let path): "\(path) belongs to another user; name a file of your own"
        case .link(let path): "\(path) is a symbolic link; name the file itself"
        case .noFile(let path): "\(path) is no file; name another one"
        case .exists(let path): "\(path) is there already; remove it, or name another file"
        case .tooLong(let path, let limit): "\(path) is too long: such a file has at most \(limit) bytes"
        case .denied(let path): "\(path) may not be used by this user; change its permissions, or name another file"
        case .diskFull(let path): "\(path) cannot be written: the disk is full; make room"
        case .failed(let path, let what): "\(path) \(what)"
        }
    }
}
