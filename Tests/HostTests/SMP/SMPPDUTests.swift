import BluetoothCrypto
import BluetoothValues
import ByteCoding
import Testing

@testable import Host

/// One example of every PDU, with its bytes as Bumble writes them.
struct SMPExample: CustomTestStringConvertible, Sendable {
    let pdu: SMPPDU
    let hex: String

    var bytes: [UInt8] { [UInt8](hex: hex) ?? [] }
    var testDescription: String { hex }

    private static func block(_ start: UInt8) -> Block128 {
        guard let block = Block128(littleEndian: (0..<16).map { start &+ 17 &* $0 }) else { preconditionFailure() }
        return block
    }

    private static func long(_ start: UInt8) -> Block256 {
        guard let block = Block256(littleEndian: (0..<32).map { start &+ 17 &* $0 }) else { preconditionFailure() }
        return block
    }

    private static func address(_ text: String, _ kind: DeviceAddress.Kind) -> IdentityAddressInformation {
        guard let address = DeviceAddress(text, kind: kind), let pdu = IdentityAddressInformation(address: address)
        else { preconditionFailure() }
        return pdu
    }

    static let all: [SMPExample] = [
        SMPExample(
            pdu: .pairingRequest(
                PairingFeatures(
                    inputOutput: .keyboardDisplay,
                    requirements: [
                        .bonding, .manInTheMiddleProtection, .secureConnections, .keypressNotifications,
                    ],
                    initiatorKeys: [.encryption, .identity, .signing],
                    responderKeys: [.encryption, .identity]
                )
            ),
            hex: "0104001d100703"
        ),
        SMPExample(
            pdu: .pairingResponse(
                PairingFeatures(
                    inputOutput: .displayYesNo,
                    hasOutOfBandData: true,
                    requirements: [.bonding, .manInTheMiddleProtection],
                    maximumKeySize: 7,
                    initiatorKeys: .identity,
                    responderKeys: .encryption
                )
            ),
            hex: "02010105070201"
        ),
        SMPExample(pdu: .pairingConfirm(block(0)), hex: "0300112233445566778899aabbccddeeff"),
        SMPExample(pdu: .pairingRandom(block(1)), hex: "040112233445566778899aabbccddeef00"),
        SMPExample(pdu: .pairingFailed(.dhKeyCheckFailed), hex: "050b"),
        SMPExample(pdu: .encryptionInformation(block(2)), hex: "0602132435465768798a9bacbdcedff001"),
        SMPExample(
            pdu: .centralIdentification(
                CentralIdentification(encryptedDiversifier: 0x1234, random: 0x7A69_5847_3625_1403)
            ),
            hex: "073412031425364758697a"
        ),
        SMPExample(pdu: .identityInformation(block(4)), hex: "080415263748596a7b8c9daebfd0e1f203"),
        SMPExample(
            pdu: .identityAddressInformation(address("78:C5:E5:9B:76:0D", .public)),
            hex: "09000d769be5c578"
        ),
        SMPExample(
            pdu: .identityAddressInformation(address("F1:02:03:04:05:06", .random)),
            hex: "09010605040302f1"
        ),
        SMPExample(pdu: .signingInformation(block(5)), hex: "0a05162738495a6b7c8d9eafc0d1e2f304"),
        SMPExample(
            pdu: .securityRequest([.bonding, .manInTheMiddleProtection, .secureConnections]),
            hex: "0b0d"
        ),
        SMPExample(
            pdu: .pairingPublicKey(PairingPublicKey(x: long(6), y: long(7))),
            hex: "0c061728394a5b6c7d8e9fb0c1d2e3f405162738495a6b7c8d9eafc0d1e2f30415"
                + "0718293a4b5c6d7e8fa0b1c2d3e4f5061728394a5b6c7d8e9fb0c1d2e3f40516"
        ),
        SMPExample(pdu: .pairingDHKeyCheck(block(8)), hex: "0d08192a3b4c5d6e7f90a1b2c3d4e5f607"),
        SMPExample(pdu: .pairingKeypressNotification(.entryCompleted), hex: "0e04"),
    ]
}

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
