import BluethroatBluetoothCrypto
import BluethroatByteCoding
import Testing

@Suite("Blocks of 128 bits")
struct Block128Tests {
    @Test("Bytes come back in the order asked for")
    func order() throws {
        let bytes = [UInt8](0..<16)
        let block = try #require(Block128(bigEndian: bytes))
        #expect(block.bigEndianBytes == bytes)
        #expect(block.littleEndianBytes == bytes.reversed())
        #expect(Block128(littleEndian: Array(bytes.reversed())) == block)
        #expect(block == Block128(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F))
        #expect((0..<16).map { block[$0] } == bytes)
    }

    @Test("Any count but sixteen is refused", arguments: [0, 1, 15, 17, 32])
    func counts(count: Int) {
        #expect(Block128(bigEndian: [UInt8](repeating: 0, count: count)) == nil)
        #expect(Block128(littleEndian: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test("Exclusive or works on all bits")
    func exclusiveOr() {
        let ones = Block128(high: .max, low: .max)
        #expect(Block128(high: 5, low: 9) ^ ones == Block128(high: ~5, low: ~9))
        #expect(ones ^ ones == .zero)
    }

    @Test("Bytes in a collection of pieces are read like others")
    func otherCollections() throws {
        let bytes = [UInt8](0..<16)
        let block = try #require(Block128(bigEndian: bytes))
        #expect(Block128(littleEndian: bytes.reversed()) == block)
        #expect(Block128(bigEndian: ([0xFF] + bytes).dropFirst()) == block)
    }

    @Test("Taken from a packet whole or not at all, and written as it was")
    func parsing() throws {
        let bytes = [UInt8](0..<20)
        var span = bytes.span.bytes
        let block = try Block128(parsing: &span)
        #expect(block.littleEndianBytes == Array(bytes.prefix(16)))
        let left = span.byteCount
        #expect(left == 4)
        #expect(throws: DecodeError.truncated(needed: 16, available: 15)) {
            let short = [UInt8](0..<15)
            var span = short.span.bytes
            _ = try Block128(parsing: &span)
        }
        var out: [UInt8] = [9]
        block.write(to: &out)
        #expect(out == [9] + bytes.prefix(16))
        out = [9]
        block.writeBigEndian(to: &out)
        #expect(out == [9] + bytes.prefix(16).reversed())
    }

    @Test("A shortened key keeps its least significant octets", arguments: 7...16)
    func shortening(count: Int) throws {
        let block = try #require(Block128(littleEndian: [UInt8](1...16)))
        let expected = [UInt8](1...UInt8(count)) + [UInt8](repeating: 0, count: 16 - count)
        #expect(block.shortened(toOctets: count).littleEndianBytes == expected)
    }
}
