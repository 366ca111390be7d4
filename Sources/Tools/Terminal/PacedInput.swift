import Foundation

/// Standard input in pieces, read on a thread of its own and no faster than they are taken.
package final class PacedInput: Sendable {
    /// Pieces that may wait.
    private static let most = 4

    /// Counted up to what may wait, since a semaphore may not end with less than it began with.
    private let room = DispatchSemaphore(value: 0)

    package init() { for _ in 0..<Self.most { room.signal() } }

    /// Reads pieces of at most `length` bytes until the end, which an empty piece marks.
    package func start(_ length: Int, _ heard: @escaping @Sendable ([UInt8]) -> Void) {
        Thread.detachNewThread { [self] in
            while true {
                room.wait()
                let piece = Self.read(length)
                heard(piece)
                if piece.isEmpty { return }
            }
        }
    }

    /// A piece was taken; another may come.
    package func taken() { room.signal() }

    /// The next bytes that there are; none at the end, or if nothing can be read.
    private static func read(_ length: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while true {
                let got = Foundation.read(STDIN_FILENO, buffer.baseAddress!, length)
                if got < 0, errno == EINTR { continue }
                if got < 0, errno == EAGAIN {
                    var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                    _ = poll(&wait, 1, -1)
                    continue
                }
                count = max(got, 0)
                return
            }
        }
    }

    /// How many bytes there will be, where standard input is a file; else nil.
    package static var byteCount: Int? {
        var information = stat()
        guard fstat(STDIN_FILENO, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        return max(0, Int(information.st_size) - Int(lseek(STDIN_FILENO, 0, SEEK_CUR)))
    }
}
