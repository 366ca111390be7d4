import Testing

@testable import BluethroatControlPanel

@Suite("A packet field by field")
struct PacketFieldsTests {
    /// A frame on a data channel.
    private func frame(_ header: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0x6B, 0x4A, 0x65, 0x50, header, UInt8(payload.count)] + payload + [0xC1, 0xC2, 0xC3]
    }

    /// All names and values in a tree, each on a line.
    private func lines(_ fields: [PacketDetail.Field]) -> [String] {
        fields.flatMap { ["\($0.name) \($0.value ?? "")"] + lines($0.fields) }
    }

    @Test("Of an encrypted PDU the header, the ciphertext and the MIC stand apart, and nothing is read into them")
    func encrypted() {
        // It would be a Write Request to handle 0x0025.
        let payload: [UInt8] = [0x04, 0x00, 0x04, 0x00, 0x12, 0x25, 0x00, 0x01]
        let bytes = frame(0x0A, payload)
        #expect(PacketFields.summary(of: bytes) == "ATT Write Request, handle 0x0025")
        #expect(lines(PacketFields.tree(of: bytes)).contains("Handle 0x0025"))
        let summary = PacketFields.summary(of: bytes, isEncrypted: true)
        #expect(summary == "0x50654A6B SN 1 NESN 0 encrypted start 8 bytes")
        #expect(
            lines(PacketFields.tree(of: bytes, isEncrypted: true)) == [
                "Access address 0x50654A6B", "LL data PDU, start of an L2CAP PDU, encrypted ", "SN 1", "NESN 0",
                "More data no", "Length 8 bytes", "Encrypted payload 04000400", "MIC 12250001", "CRC c1c2c3",
            ]
        )
    }

    @Test("An encrypted control PDU has no opcode that could be named")
    func control() {
        let bytes = frame(0x03, [0x02, 0x13, 0x00, 0x00, 0x00, 0x01])
        let found = lines(PacketFields.tree(of: bytes, isEncrypted: true))
        #expect(found.contains("LL control PDU, encrypted ") && found.contains("Encrypted payload 0213"))
        #expect(!found.contains { $0.contains("TERMINATE") })
        #expect(lines(PacketFields.tree(of: bytes)).contains { $0.contains("TERMINATE") })
    }
}
