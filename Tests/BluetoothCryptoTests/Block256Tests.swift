import BluethroatBluetoothCrypto
import BluethroatByteCoding
import Testing

@Suite("Blocks of 256 bits")
struct Block256Tests {
    @Test("Bytes come back in the order asked for")
    func order() throws {
        let bytes = [UInt8](0..<32)
        let block = try #require(Block256(bigEndian: bytes))
        #expect(block.bigEndianBytes == bytes)
        #expect(block.littleEndianBytes == bytes.reversed())
        #expect(Block256(littleEndian: Array(bytes.reversed())) == block)
        #expect(block.low == Block128(high: 0x1011_1213_1415_1617, low: 0x1819_1A1B_1C1D_1E1F))
    }

    @Test("Any count but thirty-two is refused", arguments: [0, 16, 31, 33, 64])
    func counts(count: Int) {
        #expect(Block256(bigEndian: [UInt8](repeating: 0, count: count)) == nil)
        #expect(Block256(littleEndian: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test("Taken from a packet whole or not at all, and written as it was")
    func parsing() throws {
        let bytes = [UInt8](0..<40)
        var span = bytes.span.bytes
        let block = try Block256(parsing: &span)
        #expect(block.littleEndianBytes == Array(bytes.prefix(32)))
        let left = span.byteCount
        #expect(left == 8)
        #expect(throws: DecodeError.truncated(needed: 32, available: 31)) {
            let short = [UInt8](0..<31)
            var span = short.span.bytes
            _ = try Block256(parsing: &span)
        }
        var out: [UInt8] = [9]
        block.write(to: &out)
        #expect(out == [9] + bytes.prefix(32))
    }
}
