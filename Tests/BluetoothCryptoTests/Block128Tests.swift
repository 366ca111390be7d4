import BluetoothCrypto
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
}
