import BluethroatBluetoothCrypto
import Testing

@Suite("Cipher random")
struct CipherRandomTests {
    private static let key = Block128(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

    @Test("A stream is AES in counter mode, from the first number on")
    func counterMode() {
        var stream = CipherRandom(key: Self.key)
        for counter: UInt64 in 1...4 {
            let expected = AESBlock.encrypt(key: Self.key, plaintext: Block128(high: 0, low: counter))
            #expect(stream.block() == expected)
        }
    }

    @Test("A stream that is drawn from another takes two numbers of it, used before or not", arguments: [0, 3])
    func drawn(before: Int) {
        var parent = CipherRandom(key: Self.key), reference = parent
        for _ in 0..<before { #expect(parent.next() == reference.next()) }

        var child = CipherRandom(from: &parent)
        let high = reference.next()
        var expected = CipherRandom(key: Block128(high: high, low: reference.next()))

        #expect(child.block() == expected.block())
        #expect(parent.block() == reference.block())
    }
}
