import Foundation

/// Reads a descriptor and cuts the bytes into packets.
struct DescriptorReader {
    let descriptor: CInt
    private var incoming: IncomingPackets
    private var packets: [[UInt8]] = []
    private var buffer = [UInt8](repeating: 0, count: 65_536 + 5)

    init(descriptor: CInt, from peer: HCIRole) {
        self.descriptor = descriptor
        incoming = IncomingPackets(from: peer)
    }

    mutating func takePackets() -> [[UInt8]] {
        defer { packets = [] }
        return packets
    }

    /// One read; says so if it was the last.
    mutating func read() -> HCITransportEnd? {
        let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress!, $0.count) }
        if count < 0 {
            switch errno {
            case EAGAIN, EINTR: return nil
            // A pseudo-terminal whose other side is closed; a socket whose peer's process died.
            case EIO, ECONNRESET: return hungUp
            default: return .failed(SystemText.of(errno: errno))
            }
        }
        guard count > 0 else { return hungUp }
        incoming.append(buffer[..<count])
        do throws(IncomingPackets.Garbage) {
            while let packet = try incoming.next() { packets.append(packet) }
            return nil
        } catch {
            return .notHCI(error.description)
        }
    }

    private var hungUp: HCITransportEnd { incoming.isMidPacket ? .cutMidPacket : .closedByPeer }
}
