import DequeModule
import Foundation

/// Packets on their way into a descriptor that takes them when it can.
struct PacketQueue {
    private var packets: Deque<[UInt8]> = []
    private var sentOfFirst = 0

    var isEmpty: Bool { packets.isEmpty }

    mutating func append(_ more: [[UInt8]]) { packets.append(contentsOf: more) }

    /// Writes what can be written now and says how much that was, and whether it was the last. Each packet is a write
    /// of its own, as a kernel adapter demands.
    mutating func write(to descriptor: CInt) -> (byteCount: Int, end: HCITransportEnd?) {
        var byteCount = 0
        while let packet = packets.first {
            let count = packet.withUnsafeBytes { bytes in
                writeBytes(descriptor, bytes.baseAddress! + sentOfFirst, bytes.count - sentOfFirst)
            }
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN: return (byteCount, nil)
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
