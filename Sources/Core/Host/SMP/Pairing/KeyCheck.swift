internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// The two values that prove that both know the passkey, or have what came on another way; zeros otherwise. Core 6.0,
/// Vol 3, Part H, 2.3.5.6.5.
struct CheckValues: Sendable {
    /// ra.
    var initiator = Block128.zero
    /// rb.
    var responder = Block128.zero
}

/// The end of Secure Connections' second phase: the key, and the proofs that both have it. Core 6.0, Vol 3, Part H,
/// 2.3.5.6.5.
struct KeyCheck: Sendable {
    let key: AgreedKey
    /// What this host sends.
    let own: Block128
    /// What the peer has to send.
    let expected: Block128

    init(_ terms: PairingTerms, _ agreement: KeyAgreement, _ nonces: PairingNonces, _ values: CheckValues) {
        let a = terms.addresses.initiator
        let b = terms.addresses.responder
        let (na, nb) = (nonces.initiator, nonces.responder)
        let keys = PairingFunctions.f5(w: agreement.secret, n1: na, n2: nb, a1: a, a2: b)
        let initiator = PairingFunctions.f6(
            w: keys.macKey,
            n1: na,
            n2: nb,
            r: values.responder,
            ioCap: terms.request.announced,
            a1: a,
            a2: b
        )
        let responder = PairingFunctions.f6(
            w: keys.macKey,
            n1: nb,
            n2: na,
            r: values.initiator,
            ioCap: terms.response.announced,
            a1: b,
            a2: a
        )
        key = AgreedKey(
            value: keys.longTermKey.shortened(toOctets: terms.keySize),
            usesDebugKey: agreement.usesDebugKey
        )
        own = terms.role == .central ? initiator : responder
        expected = terms.role == .central ? responder : initiator
    }

    func accepts(_ proof: Block128) -> Bool { ConstantTime.areEqual(proof, expected) }
}

/// The key with which the link is to be encrypted.
struct AgreedKey: Sendable {
    let value: Block128
    let usesDebugKey: Bool
}

extension PairingFeatures {
    /// What the DHKey check covers.
    fileprivate var announced: PairingFunctions.AnnouncedCapabilities {
        PairingFunctions.AnnouncedCapabilities(
            inputOutput: inputOutput.rawValue,
            outOfBand: hasOutOfBandData ? 1 : 0,
            authenticationRequirements: requirements.rawValue
        )
    }
}
