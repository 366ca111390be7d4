internal import BluethroatBluetoothValues
internal import BluethroatHCI

/// The PDUs of one connection that wait for room in the controller, first in, first out.
///
/// The buffers hold complete L2CAP frames behind the room for an ACL header; they are cut to the controller's
/// size only as they leave.
struct OutgoingQueue {
    private var buffers: [[UInt8]] = []
    /// The first buffer that has not left altogether; those before it are empty.
    private var head = 0
    /// How much of the head's L2CAP frame has left.
    private var sent = 0

    /// PDUs that wait, one of which may have left in part.
    var count: Int { buffers.count - head }
    var isEmpty: Bool { head == buffers.count }
    /// Whether a PDU has left in part; nothing may come between its packets.
    var isMidPDU: Bool { sent > 0 }

    mutating func append(_ buffer: consuming [UInt8]) { buffers.append(buffer) }

    /// Forgets all that waits.
    mutating func removeAll() {
        buffers = []
        head = 0
        sent = 0
    }

    /// The next ACL data packet, with at most `maximumLength` bytes of data; nil if nothing waits.
    mutating func nextPacket(handle: ConnectionHandle, maximumLength: Int) -> [UInt8]? {
        guard head < buffers.count else { return nil }
        let frameLength = buffers[head].count - OutgoingPDU.headerOffset
        if sent == 0, frameLength <= maximumLength {
            var packet: [UInt8] = []
            swap(&packet, &buffers[head])
            advance()
            ACLHeader.write(handle: handle, boundary: .firstNonFlushable, into: &packet)
            return packet
        }
        let length = min(maximumLength, frameLength - sent)
        var packet: [UInt8] = []
        packet.reserveCapacity(ACLHeader.byteCount + length)
        packet.append(contentsOf: repeatElement(0, count: ACLHeader.byteCount))
        let start = OutgoingPDU.headerOffset + sent
        packet.append(contentsOf: buffers[head][start..<(start + length)])
        ACLHeader.write(handle: handle, boundary: sent > 0 ? .continuing : .firstNonFlushable, into: &packet)
        sent += length
        if sent == frameLength {
            buffers[head] = []
            advance()
            sent = 0
        }
        return packet
    }

    private mutating func advance() {
        head += 1
        if head == buffers.count {
            buffers.removeAll(keepingCapacity: true)
            head = 0
        } else if head == 64 {
            buffers.removeFirst(head)
            head = 0
        }
    }
}
