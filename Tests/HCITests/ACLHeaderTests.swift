import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHCI

@Suite("ACL header")
struct ACLHeaderTests {
    private func parse(_ packet: [UInt8]) throws(DecodeError) -> ACLHeader {
        var bytes = packet.span.bytes
        let header = try ACLHeader(parsing: &bytes)
        #expect(bytes.byteCount == header.dataLength)
        return header
    }

    @Test("A header is read as it was written, for each boundary")
    func roundTrip() throws {
        for boundary in [PacketBoundary.firstNonFlushable, .continuing, .firstFlushable] {
            let header = ACLHeader(handle: Samples.handle, boundary: boundary, dataLength: 3)
            var packet: [UInt8] = []
            header.write(to: &packet)
            #expect(packet.count == ACLHeader.byteCount)
            #expect(packet == [2, 0x42, 0x0A | boundary.rawValue << 4, 3, 0])
            #expect(try parse(packet + [7, 8, 9]) == header)
            let data: [UInt8] = [7, 8, 9]
            #expect(header.packet(data.span.bytes) == packet + data)
        }
    }

    @Test("Written in place, a header leaves the data alone and counts it")
    func inPlace() throws {
        var packet = [UInt8](repeating: 0xEE, count: 5) + [UInt8](repeating: 0x11, count: 300)
        ACLHeader.write(handle: Samples.handle, boundary: .firstFlushable, into: &packet)
        #expect(packet[..<5] == [2, 0x42, 0x2A, 0x2C, 0x01])
        #expect(packet[5...].allSatisfy { $0 == 0x11 })
        let header = ACLHeader(handle: Samples.handle, boundary: .firstFlushable, dataLength: 300)
        #expect(try parse(packet) == header)
    }

    @Test("Cut short, too long, of another kind, broadcast, with a handle that is none: refused")
    func malformed() {
        let valid: [UInt8] = [2, 0x42, 0x2A, 2, 0, 1, 2]
        for count in 0..<valid.count {
            #expect(throws: DecodeError.self) { try parse(Array(valid[..<count])) }
        }
        #expect(throws: DecodeError.self) { try parse(valid + [0]) }
        #expect(throws: DecodeError.self) { try parse([1] + valid.dropFirst()) }
        // Flags: boundary 3 (complete automatically flushable), then both broadcast bits.
        for flags in [UInt8(0x30), 0x40, 0x80, 0xC0] {
            #expect(throws: DecodeError.self) { try parse([2, 0x42, 0x0A | flags, 2, 0, 1, 2]) }
        }
        #expect(throws: DecodeError.self) { try parse([2, 0x00, 0x2F, 2, 0, 1, 2]) }
    }
}
