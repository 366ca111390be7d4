import BluethroatPrivateFiles
import Foundation

/// A file that a capture is written to from front to back.
final class CaptureFile {
    let path: String
    private var handle: FileHandle?
    /// Whether the file was not there before.
    private let isNew: Bool
    /// Whether something was written: until then the file is as it was.
    private var isBegun = false

    /// Makes the file, for this user alone since there are keys in what it records, or opens the one that is there. That one is
    /// emptied when the first bytes are written: a recording is not lost because a port is in use. Where it comes to none, a
    /// new file is removed.
    ///
    /// One that others may read or write is refused, and so are a symbolic link and a file that is no capture: it was meant for
    /// something else, be it for the same command.
    init(_ path: String) throws(CaptureError) {
        self.path = path
        do throws(PrivateFiles.Failure) {
            (handle, isNew) = try PrivateFiles.openForWriting(
                URL(fileURLWithPath: path),
                admitsDevices: true,
                over: "capture",
                where: Self.isCapture
            )
        } catch {
            throw CaptureError("\(error)")
        }
    }

    deinit { discard() }

    /// It came to nothing: the file is as it was, if nothing was written.
    func discard() {
        if isNew, !isBegun, handle != nil { unlink(path) }
        try? close()
    }

    /// Whether a file that begins like this is a capture: pcapng, btsnoop, or pcap of either byte order and resolution.
    private static func isCapture(_ head: [UInt8]) -> Bool {
        let beginnings: [[UInt8]] = [
            [0x0A, 0x0D, 0x0D, 0x0A], Array("btsnoop\0".utf8), [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4],
            [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D],
        ]
        return beginnings.contains { head.starts(with: $0) }
    }

    /// Whether both are one file, by whatever names. A device can be written to twice.
    func isSame(as other: CaptureFile) -> Bool {
        guard let one = handle?.fileDescriptor, let two = other.handle?.fileDescriptor else { return false }
        var (found, others) = (stat(), stat())
        return fstat(one, &found) == 0 && fstat(two, &others) == 0 && found.st_mode & S_IFMT == S_IFREG
            && found.st_dev == others.st_dev && found.st_ino == others.st_ino
    }

    /// After an error the file takes no more.
    func append(_ bytes: [UInt8]) throws(CaptureError) {
        guard let handle else { return }
        if !isBegun {
            do throws(PrivateFiles.Failure) { try PrivateFiles.empty(handle, path) } catch {
                try? close()
                throw CaptureError("\(error)")
            }
            isBegun = true
        }
        let descriptor = handle.fileDescriptor
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
