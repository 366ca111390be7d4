internal import BluethroatPrivateFiles
internal import Foundation
internal import GRDB

/// Why a bond file cannot be used, in words that say what to do.
public enum BondDatabaseError: Error, Hashable, Sendable {
    /// There is something with that name that is no file.
    case notAFile(path: String)
    /// A file of another program, be it of SQLite or of any other kind.
    case foreignFile(path: String)
    /// Written by a later release; this one leaves it as it is.
    case newerVersion(path: String, found: Int, known: Int)
    /// Others may read or write the file, it is theirs, or it is a symbolic link, or the like; a sentence that says what to
    /// do.
    case refused(path: String, sentence: String)
    /// Files may not be read, written or made there.
    case permissionDenied(path: String)
    /// The file, or the file system it is on, cannot be written.
    case readOnly(path: String)
    case diskFull(path: String)
    /// Another process has locked the file for too long.
    case busy(path: String)
    /// The file was damaged after it had been opened; the next time it is opened it will be moved aside.
    case damaged(path: String, reason: String)
    /// The file is damaged and could not be moved aside.
    case damagedAndStuck(path: String, reason: String)
    /// The bond that was to be brought up to date is gone or made anew: another process has done that.
    case changedElsewhere(path: String)
    case failed(path: String, reason: String)
}

extension BondDatabaseError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAFile(let path): "\(path) is no file; name a file for the bonds"
        case .foreignFile(let path):
            "\(path) is no bond file, and was left as it is; name another file for the bonds"
        case .newerVersion(let path, let found, let known):
            "\(path) was written by a later release of bluethroat (format \(found), this one knows \(known)), and was "
                + "left as it is; use that release, or another file"
        case .refused(_, let sentence): sentence
        case .permissionDenied(let path):
            "\(path) may not be read and written by this user; change its permissions, or name another file"
        case .readOnly(let path): "\(path) cannot be written; make it writable, or name another file"
        case .diskFull(let path): "\(path) cannot be written: the disk is full; make room"
        case .busy(let path): "\(path) is kept busy by another process; end that one, or try again"
        case .damaged(let path, let reason):
            "\(path) was damaged while it was in use (\(reason)); start again to have it moved aside"
        case .damagedAndStuck(let path, let reason):
            "\(path) is damaged (\(reason)) and cannot be moved aside; move it yourself, or name another file"
        case .changedElsewhere(let path):
            "another process has removed this bond from \(path) or made it anew; connect again to go by what is there"
        case .failed(let path, let reason): "\(path) cannot be used: \(reason)"
        }
    }
}

extension BondDatabaseError {
    /// What an error of SQLite means for the file at `path`.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, reason: error.message ?? "it makes no sense")
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_READONLY: self = .readOnly(path: path)
        case .SQLITE_PERM, .SQLITE_AUTH: self = .permissionDenied(path: path)
        case .SQLITE_CANTOPEN:
            // SQLite does not say why; the file system does.
            self = access(path, R_OK) == 0 ? .readOnly(path: path) : .permissionDenied(path: path)
        default: self = .failed(path: path, reason: error.message ?? "\(error.resultCode)")
        }
    }

    /// What it means for the bonds that a file is not private.
    init(_ failure: PrivateFiles.Failure) {
        switch failure {
        case .open(let path, _, _), .foreign(let path), .link(let path), .exists(let path), .tooLong(let path, _),
            .failed(let path, _):
            self = .refused(path: path, sentence: failure.description)
        case .noFile(let path): self = .notAFile(path: path)
        case .denied(let path): self = .permissionDenied(path: path)
        case .diskFull(let path): self = .diskFull(path: path)
        }
    }

    /// What an error number of the operating system means for the file at `path`.
    init(errno code: CInt, path: String) {
        switch code {
        case EACCES, EPERM: self = .permissionDenied(path: path)
        case EROFS: self = .readOnly(path: path)
        case ENOSPC, EDQUOT: self = .diskFull(path: path)
        case EISDIR, ENOTDIR, ELOOP: self = .notAFile(path: path)
        case EWOULDBLOCK: self = .busy(path: path)
        default: self = .failed(path: path, reason: String(cString: strerror(code)))
        }
    }
}
