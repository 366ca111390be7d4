public import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
public import BluethroatByteCoding

extension SMPPDU {
    /// The PDUs by their code, without it. Core 6.0, Vol 3, Part H, 3.5 and 3.6.
    public static let descriptions: [PacketDescription] = [
        description(.pairingRequest, "Pairing Request", PairingFeatures.fieldDescriptions),
        description(.pairingResponse, "Pairing Response", PairingFeatures.fieldDescriptions),
        description(.pairingConfirm, "Pairing Confirm", [FieldDescription("Confirm Value", Block128.self)]),
        description(.pairingRandom, "Pairing Random", [FieldDescription("Random Value", Block128.self)]),
        description(.pairingFailed, "Pairing Failed", [FieldDescription("Reason", PairingFailureReason.self)]),
        description(
            .encryptionInformation,
            "Encryption Information",
            [FieldDescription("Long Term Key", Block128.self)]
        ),
        description(.centralIdentification, "Central Identification", CentralIdentification.fieldDescriptions),
        description(
            .identityInformation,
            "Identity Information",
            [FieldDescription("Identity Resolving Key", Block128.self)]
        ),
        description(
            .identityAddressInformation,
            "Identity Address Information",
            IdentityAddressInformation.fieldDescriptions
        ),
        description(.signingInformation, "Signing Information", [FieldDescription("Signature Key", Block128.self)]),
        description(.securityRequest, "Security Request", AuthenticationRequirements.fieldDescriptions),
        description(.pairingPublicKey, "Pairing Public Key", PairingPublicKey.fieldDescriptions),
        description(.pairingDHKeyCheck, "Pairing DHKey Check", [FieldDescription("DHKey Check", Block128.self)]),
        description(
            .pairingKeypressNotification,
            "Pairing Keypress Notification",
            [FieldDescription("Notification Type", Keypress.self)]
        ),
    ]

    private static func description(
        _ code: SMPCode,
        _ name: String,
        _ fields: [FieldDescription]
    ) -> PacketDescription {
        PacketDescription(code.rawValue, name, fields)
    }
}

extension PairingFeatures: FieldDescribed {
    public static var fields: [Field<Self>] {
        let first: [Field<Self>] = [
            Field("IO Capability", \.inputOutput),
            Field("OOB data flag", \.hasOutOfBandData),
        ]
        let size = Field<Self>("Maximum Encryption Key Size", unit: .octets, \.maximumKeySize)
        return first + AuthenticationRequirements.fields.map { $0.part(of: \.requirements) } + [size]
            + KeyDistribution.fields.map { $0.part(of: \.initiatorKeys) }
            + KeyDistribution.fields.map { $0.part(of: \.responderKeys) }
    }
}

extension AuthenticationRequirements: FieldDescribed {
    /// AuthReq. Core 6.0, Vol 3, Part H, 3.5.1.
    public static var fields: [Field<Self>] {
        [
            Field("Bonding_Flags", bits: 2) { $0.rawValue & 3 },
            Field("MITM", bits: 1) { $0.contains(.manInTheMiddleProtection) },
            Field("SC", bits: 1) { $0.contains(.secureConnections) },
            Field("Keypress", bits: 1) { $0.contains(.keypressNotifications) },
            Field("CT2", bits: 1) { $0.contains(.crossTransport2) },
            Field("RFU", bits: 2) { $0.rawValue >> 6 },
        ]
    }
}

extension KeyDistribution: FieldDescribed {
    /// Core 6.0, Vol 3, Part H, 3.6.1.
    public static var fields: [Field<Self>] {
        [
            Field("EncKey", bits: 1) { $0.contains(.encryption) },
            Field("IdKey", bits: 1) { $0.contains(.identity) },
            Field("SignKey", bits: 1) { $0.contains(.signing) },
            Field("LinkKey", bits: 1) { $0.contains(.link) },
            Field("RFU", bits: 4) { $0.rawValue >> 4 },
        ]
    }
}

extension CentralIdentification: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("EDIV", \.encryptedDiversifier), Field("Rand", \.random)]
    }
}

extension IdentityAddressInformation: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("AddrType", \.address.kind), Field("BD_ADDR", \.address)]
    }
}

extension PairingPublicKey: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Public Key X", \.x), Field("Public Key Y", \.y)]
    }
}

extension IOCapability: FieldConvertible {}
extension PairingFailureReason: FieldConvertible {}
extension Keypress: FieldConvertible {}

/// 16 octets, the least significant first.
extension Block128: FieldConvertible {
    public static var fieldShape: FieldShape { .bytes(.fixed(16)) }
    public var fieldValue: FieldValue { .bytes(littleEndianBytes) }
}

/// 32 octets, the least significant first.
extension Block256: FieldConvertible {
    public static var fieldShape: FieldShape { .bytes(.fixed(32)) }
    public var fieldValue: FieldValue { .bytes(littleEndianBytes) }
}
