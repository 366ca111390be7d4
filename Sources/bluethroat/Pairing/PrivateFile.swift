import Foundation

/// A file with secrets in it: for this user alone, and never in the place of another.
enum PrivateFile {
    /// Writes a new file, mode 0600 from the first byte.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw CommandFailure("\(path) is there already; remove it, or name another file", .wrongUsage)
            }
            throw CommandFailure("cannot write \(path): \(String(cString: strerror(errno)))", .wrongUsage)
        }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress! + start, bytes.count - start)
            }
            guard count > 0 else {
                throw CommandFailure("cannot write \(path): \(String(cString: strerror(errno)))")
            }
            start += count
        }
    }
}
