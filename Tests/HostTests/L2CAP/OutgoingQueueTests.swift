import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("L2CAP outgoing queue")
struct OutgoingQueueTests {
    static let handle = ConnectionHandle(rawValue: 0x0042).unsafelyUnwrapped

    static func buffer(_ payload: [UInt8]) -> [UInt8] {
        var buffer = OutgoingPDU.buffer(capacity: payload.count)
        buffer.append(contentsOf: payload)
        OutgoingPDU.address(&buffer, to: .attribute)
        return buffer
    }

    @Test("A PDU that fits leaves in one packet")
    func onePacket() {
        var queue = OutgoingQueue()
        queue.append(Self.buffer([0x1B, 3, 0, 7]))
        let packet = queue.nextPacket(handle: Self.handle, maximumLength: 27)
        #expect(packet?.hex == "0242000800040004001b030007")
        #expect(queue.isEmpty)
        let another = queue.nextPacket(handle: Self.handle, maximumLength: 27)
        #expect(another == nil)
    }

    func address(of bytes: [UInt8]) -> UInt {
        bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    @Test("It leaves in the very buffer it was built in")
    func noCopy() {
        var queue = OutgoingQueue()
        let buffer = Self.buffer([UInt8](repeating: 7, count: 100))
        let before = address(of: buffer)
        queue.append(buffer)
        _ = consume buffer
        let packet = queue.nextPacket(handle: Self.handle, maximumLength: 251) ?? []
        #expect(address(of: packet) == before)
    }

    @Test(
        "A longer PDU leaves in fragments of the controller's size, marked as continuing",
        arguments: [1, 4, 5, 20, 27, 104]
    )
    func fragments(size: Int) {
        var queue = OutgoingQueue()
        let payload = (0..<200).map { UInt8($0) }
        queue.append(Self.buffer(payload))
        queue.append(Self.buffer([1, 2, 3]))
        var frames: [[UInt8]] = []
        while let packet = queue.nextPacket(handle: Self.handle, maximumLength: size) {
            #expect(packet[0] == 2 && packet[1] == 0x42)
            #expect(Int(packet[3]) | Int(packet[4]) << 8 == packet.count - 5)
            #expect(packet.count - 5 <= size)
            switch packet[2] {
            case 0x00: frames.append(Array(packet.dropFirst(5)))
            case 0x10: frames[frames.count - 1] += packet.dropFirst(5)
            default: Issue.record("flags \(packet[2])")
            }
        }
        #expect(frames == [[200, 0, 4, 0] + payload, [3, 0, 4, 0, 1, 2, 3]])
    }

    @Test("A thousand PDUs, never more than a hundred at once, keep their order")
    func order() {
        var queue = OutgoingQueue()
        var expected = 0
        for number in 0..<1_000 {
            queue.append(Self.buffer([UInt8(truncatingIfNeeded: number)]))
            if queue.count == 100 || number % 3 == 0 {
                let packet = queue.nextPacket(handle: Self.handle, maximumLength: 27)
                #expect(packet?.last == UInt8(truncatingIfNeeded: expected))
                expected += 1
            }
        }
    }
}
