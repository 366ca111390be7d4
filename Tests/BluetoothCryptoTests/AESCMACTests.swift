import BluethroatBluetoothCrypto
import Testing

@Suite("AES-CMAC")
struct AESCMACTests {
    static let message: [UInt8] = [
        0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A,
        0xAE, 0x2D, 0x8A, 0x57, 0x1E, 0x03, 0xAC, 0x9C, 0x9E, 0xB7, 0x6F, 0xAC, 0x45, 0xAF, 0x8E, 0x51,
        0x30, 0xC8, 0x1C, 0x46, 0xA3, 0x5C, 0xE4, 0x11, 0xE5, 0xFB, 0xC1, 0x19, 0x1A, 0x0A, 0x52, 0xEF,
        0xF6, 0x9F, 0x24, 0x45, 0xDF, 0x4F, 0x9B, 0x17, 0xAD, 0x2B, 0x41, 0x7B, 0xE6, 0x6C, 0x37, 0x10,
    ]
    /// By length: RFC 4493, section 4, which is Core Vol 3, Part H, D.1.
    static let codes: [(Int, String)] = [
        (0, "bb1d6929 e9593728 7fa37d12 9b756746"),
        (16, "070a16b4 6b4d4144 f79bdd9d d04a287c"),
        (40, "dfa66747 de9ae630 30ca3261 1497c827"),
        (64, "51f0bebf 7e3b9d92 fc497417 79363cfe"),
    ]

    @Test("RFC 4493, examples 1 to 4", arguments: codes)
    func rfc4493(length: Int, code: String) throws {
        let key = try block("2b7e1516 28aed2a6 abf71588 09cf4f3c")
        #expect(AESCMAC.authenticate(Array(Self.message[..<length]), key: key) == (try block(code)))
    }

    @Test("A message in pieces, wherever it is cut, has the code of the whole", arguments: codes)
    func pieces(length: Int, code: String) throws {
        let key = try block("2b7e1516 28aed2a6 abf71588 09cf4f3c")
        for cut in 0...length {
            let first = Array(Self.message[..<cut])
            let second = Array(Self.message[cut..<length])
            var state = AESCMAC(key: key)
            state.update(first.span.bytes)
            state.update(second.span.bytes)
            #expect(state.finish() == (try block(code)))
        }
    }

    @Test("A copy goes its own way, and finishing does not end the original")
    func copies() throws {
        let key = try block("2b7e1516 28aed2a6 abf71588 09cf4f3c")
        var original = AESCMAC(key: key)
        original.update(Array(Self.message[..<16]).span.bytes)
        var copy = original
        copy.update([0xFF].span.bytes)
        #expect(original.finish() == (try block("070a16b4 6b4d4144 f79bdd9d d04a287c")))
        original.update(Array(Self.message[16..<40]).span.bytes)
        #expect(original.finish() == (try block("dfa66747 de9ae630 30ca3261 1497c827")))
    }
}
