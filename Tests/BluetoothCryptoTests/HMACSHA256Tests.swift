import BluethroatBluetoothCrypto
import BluethroatByteCoding
import Testing

@Suite("HMAC-SHA256")
struct HMACSHA256Tests {
    struct Sample: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    /// RFC 4231, test cases 1 to 4, 6 and 7; and the code of nothing under an empty key, which many pages print.
    static let samples = [
        Sample(
            key: [UInt8](repeating: 0x0B, count: 20),
            message: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Sample(
            key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Sample(
            key: [UInt8](repeating: 0xAA, count: 20),
            message: [UInt8](repeating: 0xDD, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Sample(
            key: Array(1...25),
            message: [UInt8](repeating: 0xCD, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        Sample(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Sample(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8
            ),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
        Sample(
            key: [],
            message: [],
            code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        ),
    ]

    @Test("RFC 4231, and an empty message under an empty key", arguments: samples)
    func sample(_ sample: Sample) {
        let code = HMACSHA256.authenticate(sample.message, key: sample.key)
        #expect(code.bigEndianBytes.hex == sample.code)
    }
}
