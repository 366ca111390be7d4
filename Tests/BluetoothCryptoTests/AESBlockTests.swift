import BluethroatBluetoothCrypto
import Testing

/// Text with spaces to a block, most significant byte first.
func block(_ text: String) throws -> Block128 {
    let digits = text.filter { $0 != " " }
    try #require(digits.count == 32)
    let high = try #require(UInt64(digits.prefix(16), radix: 16))
    let low = try #require(UInt64(digits.suffix(16), radix: 16))
    return Block128(high: high, low: low)
}

@Suite("AES on a block")
struct AESBlockTests {
    @Test("FIPS-197, appendix B and C.1")
    func fips197() throws {
        #expect(
            AESBlock.encrypt(
                key: try block("2b7e151628aed2a6abf7158809cf4f3c"),
                plaintext: try block("3243f6a8885a308d313198a2e0370734")
            )
                == (try block("3925841d02dc09fbdc118597196a0b32"))
        )
        #expect(
            AESBlock.encrypt(
                key: try block("000102030405060708090a0b0c0d0e0f"),
                plaintext: try block("00112233445566778899aabbccddeeff")
            )
                == (try block("69c4e0d86a7b0430d8cdb78070b4c55a"))
        )
    }

    @Test("The session key of the sample data, Core Vol 6, Part C, 1")
    func sessionKey() throws {
        #expect(
            AESBlock.encrypt(
                key: try block("4C68384139F574D836BCF34E9DFB01BF"),
                plaintext: try block("0213243546576879ACBDCEDFE0F10213")
            )
                == (try block("99AD1B5226A37E3E058E3B8E27C2C666"))
        )
    }

    @Test("HCI's bytes, least significant first, give the same session key")
    func hciOrder() throws {
        let key: [UInt8] = [
            0xBF, 0x01, 0xFB, 0x9D, 0x4E, 0xF3, 0xBC, 0x36, 0xD8, 0x74, 0xF5, 0x39, 0x41, 0x38, 0x68, 0x4C,
        ]
        let plaintext: [UInt8] = [
            0x13, 0x02, 0xF1, 0xE0, 0xDF, 0xCE, 0xBD, 0xAC, 0x79, 0x68, 0x57, 0x46, 0x35, 0x24, 0x13, 0x02,
        ]
        let encrypted = AESBlock.encrypt(
            key: try #require(Block128(littleEndian: key)),
            plaintext: try #require(Block128(littleEndian: plaintext))
        )
        #expect(
            encrypted.littleEndianBytes == [
                0x66, 0xC6, 0xC2, 0x27, 0x8E, 0x3B, 0x8E, 0x05, 0x3E, 0x7E, 0xA3, 0x26, 0x52, 0x1B, 0xAD, 0x99,
            ]
        )
    }
}
