import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("SMP PDUs")
struct SMPPDUTests {
    private func parse(_ bytes: [UInt8]) throws(DecodeError) -> SMPPDU { try SMPPDU(parsing: bytes.span.bytes) }

    @Test("Each is written as Bumble writes it, and understood", arguments: SMPExample.all)
    func roundTrip(_ example: SMPExample) throws {
        #expect(example.pdu.bytes == example.bytes)
        let understood = try parse(example.bytes)
        #expect(understood == example.pdu)
        #expect(understood.code.rawValue == example.bytes[0])
    }

    @Test("Each has one length: every other is an error", arguments: SMPExample.all)
    func lengths(_ example: SMPExample) {
        for length in 0..<example.bytes.count {
            #expect(throws: DecodeError.self, "\(length) bytes") { try parse(Array(example.bytes[..<length])) }
        }
        for extra in 1...3 {
            #expect(throws: DecodeError.trailingBytes(extra)) {
                try parse(example.bytes + [UInt8](repeating: 1, count: extra))
            }
        }
    }

    @Test("Every code of the specification has an example, and no other code is defined")
    func complete() {
        #expect(Set(SMPExample.all.map { $0.bytes[0] }) == Set(0x01...0x0E))
        for raw in UInt8.min...UInt8.max {
            #expect(SMPCode(rawValue: raw).isDefined == (0x01...0x0E).contains(raw))
        }
    }

    @Test("A code of tomorrow keeps its bytes", arguments: [0x00, 0x0F, 0x7F, 0xFF] as [UInt8])
    func unknown(_ code: UInt8) throws {
        let pdu = try parse([code, 1, 2, 3])
        #expect(pdu == .unknown(SMPCode(rawValue: code), parameters: [1, 2, 3]))
        #expect(pdu.bytes == [code, 1, 2, 3])
    }

    @Test(
        "Fields out of their range are errors",
        arguments: [
            "01 05 00 0d 10 03 03", "01 FF 00 0d 10 03 03", "02 03 02 0d 10 03 03", "0e 05", "0e FF",
            "09 02 0d 76 9b e5 c5 78", "09 01 0d 76 9b e5 c5 78", "09 01 0d 76 9b e5 c5 38",
        ]
    )
    func ranges(_ hex: String) {
        #expect(throws: DecodeError.self) { try parse([UInt8](hex: hex) ?? []) }
    }

    @Test("Reserved bits and key sizes out of range are kept, since they count in the confirm value")
    func reserved() throws {
        for hex in ["0103002d020f0f", "020300ffff8080", "01030000000000", "0bff", "05ff"] {
            let bytes = [UInt8](hex: hex) ?? []
            #expect(try parse(bytes).bytes == bytes)
        }
    }

    @Test("The buffer for L2CAP has nine bytes of headroom in front", arguments: SMPExample.all)
    func headroom(_ example: SMPExample) {
        #expect(Array(example.pdu.buffer()[OutgoingPDU.headroom...]) == example.bytes)
    }
}
