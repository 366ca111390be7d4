import BluethroatEvents
import Foundation

/// Writes a file of results. One that was there before stays whole until the new one is.
enum ResultFile {
    static func write(_ text: String, to path: String) throws(OperationFailure) {
        var found = stat()
        let isThere = stat(path, &found) == 0
        // A pipe or a device keeps nothing, and has to be written to itself.
        if isThere, found.st_mode & S_IFMT != S_IFREG { return try write(text, path, opening: path, O_WRONLY, 0) }
        // A link stays one.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let new = "\(file).\(getpid()).new"
        unlink(new)
        let mode = isThere ? found.st_mode & 0o777 : 0o666
        do throws(OperationFailure) {
            try write(text, path, opening: new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
            if isThere { _ = chmod(new, mode) }
            guard rename(new, file) == 0 else { throw failure(errno, path) }
        } catch {
            unlink(new)
            // In a folder that nothing can be added to, a file may be written to all the same.
            guard isThere, access(URL(fileURLWithPath: file).deletingLastPathComponent().path, W_OK) != 0 else {
                throw error
            }
            try write(text, path, opening: file, O_WRONLY | O_TRUNC, 0)
        }
    }

    private static func write(
        _ text: String,
        _ shown: String,
        opening path: String,
        _ flags: CInt,
        _ mode: mode_t
    ) throws(OperationFailure) {
        let descriptor = open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(errno, shown) }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(count < 0 ? errno : ENOSPC, shown) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ code: CInt, _ path: String) -> OperationFailure {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: OperationFailure("cannot write \(path): the disk is full; make room")
        case EPIPE: OperationFailure("cannot write \(path): nobody reads there any more")
        default: OperationFailure("cannot write \(path): \(String(cString: strerror(code)).lowercased())")
        }
    }
}
