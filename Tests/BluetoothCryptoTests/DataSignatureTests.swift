import BluethroatBluetoothCrypto
import BluethroatByteCoding
import Testing

@Suite("Signed writes")
struct DataSignatureTests {
    static let key = "611B64EB FBCD1FD3 72EC9196 DF425E50"
    /// A Signed Write Command: opcode, handle 0x0012, value.
    static let message: [UInt8] = [0xD2, 0x12, 0x00, 0x13, 0x37]
    static let signature: [UInt8] = [0x01, 0, 0, 0, 0xF1, 0x87, 0x1E, 0x93, 0x3C, 0x90, 0x0F, 0xF2]

    @Test("A command signed as BlueZ signs it")
    func command() throws {
        let signature = DataSignature(signing: Self.message.span.bytes, key: try block(Self.key), counter: 1)
        var pdu = Self.message
        signature.write(to: &pdu)
        #expect(pdu == Self.message + Self.signature)
    }

    /// Made with the key of RFC 4493 and counter 0.
    @Test(
        "Other lengths, as BlueZ signs them",
        arguments: [
            ("", "b3a8594127ebc2c0"),
            ("6bc1bee22e409f96e93d7e117393172a", "273974f4392a232a"),
            (
                "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
                "b7ca94ab87c78218"
            ),
        ]
    )
    func lengths(message: String, code: String) throws {
        let message = try #require([UInt8](hex: message))
        let key = try block("2b7e1516 28aed2a6 abf71588 09cf4f3c")
        var bytes: [UInt8] = []
        DataSignature(signing: message.span.bytes, key: key, counter: 0).write(to: &bytes)
        #expect(bytes.hex == "00000000" + code)
    }

    @Test("A signature is read from the end of a PDU, whole or not at all")
    func parsing() throws {
        var span = Self.signature.span.bytes
        let signature = try DataSignature(parsing: &span)
        let left = span.byteCount
        #expect(left == 0)
        #expect(signature.counter == 1)
        #expect(isAuthentic(signature, Self.message, try block(Self.key)))
        for count in 0..<DataSignature.byteCount {
            let bytes = Array(Self.signature.prefix(count))
            var short = bytes.span.bytes
            do {
                _ = try DataSignature(parsing: &short)
                Issue.record("read from \(count) bytes")
            } catch {
                #expect(error == .truncated(needed: 12, available: count))
                let left = short.byteCount
                #expect(left == count)
            }
        }
    }

    private func isAuthentic(_ signature: DataSignature, _ message: [UInt8], _ key: Block128) -> Bool {
        signature.authenticates(message.span.bytes, key: key)
    }

    @Test("Another message, counter, code or key is not authentic")
    func tampering() throws {
        let key = try block(Self.key)
        for bit in 0..<(8 * Self.signature.count) {
            var changed = Self.signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            var span = changed.span.bytes
            let signature = try DataSignature(parsing: &span)
            #expect(!isAuthentic(signature, Self.message, key), "bit \(bit)")
        }
        let signature = DataSignature(signing: Self.message.span.bytes, key: key, counter: 7)
        for bit in 0..<(8 * Self.message.count) {
            var changed = Self.message
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!isAuthentic(signature, changed, key), "bit \(bit)")
        }
        #expect(!isAuthentic(signature, Self.message, .zero))
        #expect(isAuthentic(signature, Self.message, key))
    }
}
