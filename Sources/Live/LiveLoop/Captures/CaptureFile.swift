import BluethroatPrivateFiles
import Foundation

/// A file that a capture is written to from front to back.
final class CaptureFile {
    let path: String
    private var handle: FileHandle?

    /// Makes the file, for this user alone since there are keys in what it records, or empties the one that is there.
    ///
    /// One that others may read or write is refused, and so is a symbolic link.
    init(_ path: String) throws(CaptureError) {
        self.path = path
        do throws(PrivateFiles.Failure) {
            handle = try PrivateFiles.openForWriting(URL(fileURLWithPath: path), admitsDevices: true)
        } catch {
            throw CaptureError("\(error)")
        }
    }

    deinit { try? close() }

    /// After an error the file takes no more.
    func append(_ bytes: [UInt8]) throws(CaptureError) {
        guard let descriptor = handle?.fileDescriptor else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                let failure = failure(errno)
                try? close()
                throw failure
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Some file systems say only now that what was written has no room.
    func close() throws(CaptureError) {
        guard let handle else { return }
        self.handle = nil
        do {
            try handle.close()
        } catch {
            throw failure(((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO)
        }
    }

    private func failure(_ code: CInt) -> CaptureError {
        let reason = String(cString: strerror(code))
        return CaptureError("cannot write \(path): \(reason.prefix(1).lowercased() + reason.dropFirst())")
    }
}

/// Why something cannot be recorded: one line.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
