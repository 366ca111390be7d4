import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

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
