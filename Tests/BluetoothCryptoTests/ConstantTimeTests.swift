import BluethroatBluetoothCrypto
import Testing

@Suite("Comparisons in constant time")
struct ConstantTimeTests {
    @Test("Equal is equal, and one bit anywhere makes the difference")
    func bits() throws {
        let bytes = [UInt8](1...32)
        let narrow = try #require(Block128(bigEndian: bytes.prefix(16)))
        let wide = try #require(Block256(bigEndian: bytes))
        #expect(ConstantTime.areEqual(bytes, bytes))
        #expect(ConstantTime.areEqual(narrow, narrow))
        #expect(ConstantTime.areEqual(wide, wide))
        for bit in 0..<256 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!ConstantTime.areEqual(bytes, changed))
            #expect(!ConstantTime.areEqual(wide, try #require(Block256(bigEndian: changed))))
            guard bit < 128 else { continue }
            #expect(!ConstantTime.areEqual(narrow, try #require(Block128(bigEndian: changed.prefix(16)))))
        }
    }

    @Test("Differences that would cancel out are seen")
    func noCancelling() {
        #expect(!ConstantTime.areEqual(Block128(high: 1, low: 1), .zero))
        #expect(!ConstantTime.areEqual([1, 1], [0, 0]))
    }

    @Test("Other lengths are not equal, and nothing is equal to nothing")
    func lengths() {
        #expect(!ConstantTime.areEqual([1, 2], [1, 2, 0]))
        #expect(!ConstantTime.areEqual([], [0]))
        #expect(ConstantTime.areEqual([UInt8](), []))
    }
}
