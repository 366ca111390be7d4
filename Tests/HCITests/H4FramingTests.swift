import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@Suite("H4 framing")
struct H4FramingTests {
    /// One packet of each kind, empty ones, and the longest of each length field's first byte.
    static let packets: [[UInt8]] = [
        [1, 0x03, 0x0C, 0],
        [1, 0x05, 0x20, 6, 1, 2, 3, 4, 5, 6],
        [2, 0x42, 0x2A, 3, 0, 9, 8, 7],
        [2, 0x42, 0x2A, 0x04, 0x01] + [UInt8](repeating: 4, count: 260),
        [3, 0x01, 0x00, 2, 0xAA, 0xBB],
        [4, 0x0E, 4, 1, 0x03, 0x0C, 0],
        [4, 0xFF, 255] + [UInt8](repeating: 1, count: 255),
        // The two reserved bits above an isochronous length do not count.
        [5, 0x01, 0x00, 1, 0xC0, 0x55],
        [2, 0x00, 0x00, 0, 0],
        [4, 0x3E, 1, 0x11],
    ]

    private func drain(_ framing: inout H4Framing) throws(H4FramingError) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while let packet = try framing.nextPacket() { packets.append(packet) }
        return packets
    }

    @Test("A stream cut in two anywhere gives the same packets")
    func anySplit() throws {
        let stream = Self.packets.flatMap { $0 }
        for cut in 0...stream.count {
            var framing = H4Framing()
            framing.append(stream[..<cut])
            var packets = try drain(&framing)
            framing.append(stream[cut...])
            packets += try drain(&framing)
            #expect(packets == Self.packets)
            #expect(framing.pendingCount == 0)
        }
    }

    @Test("Byte by byte, each packet comes with its last byte")
    func byteByByte() throws {
        var framing = H4Framing()
        for packet in Self.packets {
            for byte in packet.dropLast() {
                framing.append(CollectionOfOne(byte))
                #expect(try framing.nextPacket() == nil)
            }
            framing.append(CollectionOfOne(packet[packet.count - 1]))
            #expect(try framing.nextPacket() == packet)
        }
    }

    @Test("Pieces of random length give the same packets", arguments: 0..<200)
    func randomPieces(seed: UInt64) throws {
        var random = SeededRandom(seed: seed, purpose: "h4 pieces")
        var rest = (Self.packets + Self.packets).flatMap { $0 }[...]
        var framing = H4Framing()
        var packets: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int(random.next(below: 40)))
            rest = rest.dropFirst(piece.count)
            framing.append(piece)
            // Sometimes nobody asks between two pieces.
            if random.next(below: 3) != 0 { packets += try drain(&framing) }
        }
        packets += try drain(&framing)
        #expect(packets == Self.packets + Self.packets)
    }

    @Test("A byte that is no indicator ends the stream for good, after the packets before it")
    func badIndicator() throws {
        for bad in UInt8(0)...255 where !(1...5).contains(bad) {
            var framing = H4Framing()
            framing.append(Self.packets[0] + [bad, 1, 2, 3] + Self.packets[0])
            #expect(try framing.nextPacket() == Self.packets[0])
            #expect(throws: H4FramingError.badIndicator(bad)) { try framing.nextPacket() }
            framing.append(Self.packets[0])
            #expect(throws: H4FramingError.badIndicator(bad)) { try framing.nextPacket() }
            #expect(framing.pendingCount == 0)
        }
    }

    @Test("What waits is never more than one packet and what was appended last")
    func memory() throws {
        var framing = H4Framing()
        for _ in 0..<1000 {
            framing.append(Self.packets[3] + Self.packets[3].prefix(10))
            _ = try drain(&framing)
            framing.append(Self.packets[3].dropFirst(10))
            _ = try drain(&framing)
            #expect(framing.pendingCount == 0)
        }
    }
}
