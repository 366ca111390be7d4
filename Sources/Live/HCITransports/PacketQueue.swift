import DequeModule
import Foundation

/// Packets on their way into a descriptor that takes them when it can.
struct PacketQueue {
    private let isForSocket: Bool
    private let isForAdapter: Bool
    private var packets: Deque<[UInt8]> = []
    private var sentOfFirst = 0

    /// - Parameters:
    ///   - isForSocket: whether the descriptor is a socket.
    ///   - isForAdapter: whether it is that of a virtual adapter, whose host is the kernel.
    init(isForSocket: Bool = false, isForAdapter: Bool = false) {
        self.isForSocket = isForSocket
        self.isForAdapter = isForAdapter
    }

    var isEmpty: Bool { packets.isEmpty }

    mutating func append(_ more: [[UInt8]]) { packets.append(contentsOf: more) }

    /// Forgets all packets, and says how many bytes they had left.
    private mutating func drop() -> Int {
        let byteCount = packets.reduce(-sentOfFirst) { $0 + $1.count }
        (packets, sentOfFirst) = ([], 0)
        return byteCount
    }

    /// Writes what can be written now and says how much that was, and whether it was the last. Each packet is a write
    /// of its own, as a kernel adapter demands.
    mutating func write(to descriptor: CInt) -> (byteCount: Int, end: HCITransportEnd?) {
        var byteCount = 0
        while let packet = packets.first {
            let count = packet.withUnsafeBytes { bytes in
                (isForSocket ? sendBytes : writeBytes)(
                    descriptor,
                    bytes.baseAddress! + sentOfFirst,
                    bytes.count - sentOfFirst
                )
            }
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN: return (byteCount, nil)
                // The adapter is down, and the kernel wants to hear nothing until it is up again.
                case ENXIO where isForAdapter:
                    byteCount += packet.count
                    packets.removeFirst()
                    continue
                // A socket whose peer is gone: what it sent last is still to be read, and then says so.
                case EPIPE where isForSocket, ECONNRESET where isForSocket: return (byteCount + drop(), nil)
                // A pseudo-terminal whose other side is closed.
                case EIO, EPIPE: return (byteCount, .closedByPeer)
                default: return (byteCount, .failed(SystemText.of(errno: errno)))
                }
            }
            byteCount += count
            sentOfFirst += count
            guard sentOfFirst == packet.count else { return (byteCount, nil) }
            sentOfFirst = 0
            packets.removeFirst()
        }
        return (byteCount, nil)
    }
}
