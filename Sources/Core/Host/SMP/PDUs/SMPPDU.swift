public import BluethroatBluetoothCrypto
public import BluethroatByteCoding

/// Everything that two devices say to each other on the Security Manager Protocol. Core 6.0, Vol 3, Part H, 3.5 and 3.6.
///
/// Every PDU has one length, and any other is an error. Values of 128 bits travel least significant byte first.
public enum SMPPDU: Hashable, Sendable {
    /// The initiator proposes to pair.
    case pairingRequest(PairingFeatures)
    /// The responder agrees.
    case pairingResponse(PairingFeatures)
    /// A commitment to a random value that is sent later. 3.5.3.
    case pairingConfirm(Block128)
    /// The random value behind a commitment. 3.5.4.
    case pairingRandom(Block128)
    /// The pairing is over, and this is why. 3.5.5.
    case pairingFailed(PairingFailureReason)
    /// A long term key. 3.6.2.
    case encryptionInformation(Block128)
    /// By what the long term key before it is asked for. 3.6.3.
    case centralIdentification(CentralIdentification)
    /// An identity resolving key. 3.6.4.
    case identityInformation(Block128)
    /// The address that the sender keeps. 3.6.5.
    case identityAddressInformation(IdentityAddressInformation)
    /// A connection signature resolving key. 3.6.6.
    case signingInformation(Block128)
    /// The peripheral asks the central for encryption or pairing. 3.6.7.
    case securityRequest(AuthenticationRequirements)
    /// A point on P-256. 3.5.6.
    case pairingPublicKey(PairingPublicKey)
    /// The proof that the sender has derived the same keys. 3.5.7.
    case pairingDHKeyCheck(Block128)
    /// Progress of a person who types a passkey. 3.5.8.
    case pairingKeypressNotification(Keypress)
    /// A PDU of a later edition of the specification, or of none.
    case unknown(SMPCode, parameters: [UInt8])

    /// The longest PDU that is defined: the code and a public key.
    public static let maximumLength = 65

    /// All bytes of a PDU, the code first.
    public init(parsing pdu: RawSpan) throws(DecodeError) {
        var bytes = pdu
        let code = SMPCode(rawValue: try bytes.takeUInt8())
        switch code {
        case .pairingRequest: self = .pairingRequest(try PairingFeatures(parsing: &bytes))
        case .pairingResponse: self = .pairingResponse(try PairingFeatures(parsing: &bytes))
        case .pairingConfirm: self = .pairingConfirm(try Block128(parsing: &bytes))
        case .pairingRandom: self = .pairingRandom(try Block128(parsing: &bytes))
        case .pairingFailed: self = .pairingFailed(PairingFailureReason(rawValue: try bytes.takeUInt8()))
        case .encryptionInformation: self = .encryptionInformation(try Block128(parsing: &bytes))
        case .centralIdentification: self = .centralIdentification(try CentralIdentification(parsing: &bytes))
        case .identityInformation: self = .identityInformation(try Block128(parsing: &bytes))
        case .identityAddressInformation:
            self = .identityAddressInformation(try IdentityAddressInformation(parsing: &bytes))
        case .signingInformation: self = .signingInformation(try Block128(parsing: &bytes))
        case .securityRequest: self = .securityRequest(AuthenticationRequirements(rawValue: try bytes.takeUInt8()))
        case .pairingPublicKey: self = .pairingPublicKey(try PairingPublicKey(parsing: &bytes))
        case .pairingDHKeyCheck: self = .pairingDHKeyCheck(try Block128(parsing: &bytes))
        case .pairingKeypressNotification: self = .pairingKeypressNotification(try Keypress(parsing: &bytes))
        default: self = .unknown(code, parameters: bytes.takeRest())
        }
        try bytes.expectEnd()
    }

    public var code: SMPCode {
        switch self {
        case .pairingRequest: .pairingRequest
        case .pairingResponse: .pairingResponse
        case .pairingConfirm: .pairingConfirm
        case .pairingRandom: .pairingRandom
        case .pairingFailed: .pairingFailed
        case .encryptionInformation: .encryptionInformation
        case .centralIdentification: .centralIdentification
        case .identityInformation: .identityInformation
        case .identityAddressInformation: .identityAddressInformation
        case .signingInformation: .signingInformation
        case .securityRequest: .securityRequest
        case .pairingPublicKey: .pairingPublicKey
        case .pairingDHKeyCheck: .pairingDHKeyCheck
        case .pairingKeypressNotification: .pairingKeypressNotification
        case .unknown(let code, _): code
        }
    }

    /// Appends the code and the parameters.
    public func write(to out: inout [UInt8]) {
        out.appendUInt8(code.rawValue)
        switch self {
        case .pairingRequest(let features), .pairingResponse(let features): features.write(to: &out)
        case .pairingConfirm(let value), .pairingRandom(let value), .encryptionInformation(let value),
            .identityInformation(let value), .signingInformation(let value), .pairingDHKeyCheck(let value):
            value.write(to: &out)
        case .pairingFailed(let reason): out.appendUInt8(reason.rawValue)
        case .centralIdentification(let identification): identification.write(to: &out)
        case .identityAddressInformation(let information): information.write(to: &out)
        case .securityRequest(let requirements): out.appendUInt8(requirements.rawValue)
        case .pairingPublicKey(let key): key.write(to: &out)
        case .pairingKeypressNotification(let keypress): out.appendUInt8(keypress.rawValue)
        case .unknown(_, let parameters): out.append(contentsOf: parameters)
        }
    }

    /// The PDU's bytes, code first.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// The PDU with the headroom that the layers below fill in.
    func buffer() -> [UInt8] {
        var buffer = OutgoingPDU.buffer(capacity: Self.maximumLength)
        write(to: &buffer)
        return buffer
    }
}
