internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// The third phase: over the encrypted link each gives the other the keys that both have agreed on, the responder
/// first. Core 6.0, Vol 3, Part H, 2.4.3 and 3.6.1.
struct KeyExchange: Sendable {
    /// What the peer has still to send, in the only order that is allowed.
    private var expected: ArraySlice<SMPCode>
    /// What this host has still to send.
    private var outgoing: [SMPPDU]
    /// A long term key that waits for its EDIV and Rand.
    private var receivedKey: Block128?
    private var result: PairingResult

    init(_ terms: PairingTerms, key: AgreedKey, identity: LocalIdentity?, random: inout CipherRandom) {
        let linkKey = terms.key(key.value)
        result = PairingResult(
            method: terms.method,
            isBonded: terms.isBonded,
            usesDebugKey: key.usesDebugKey,
            linkKey: linkKey,
            gaveIdentity: false
        )
        if terms.usesSecureConnections {
            result.keyAsCentral = linkKey
            result.keyAsPeripheral = linkKey
        }
        expected = Self.codes(for: terms.keys(from: terms.peerRole))[...]
        outgoing = []
        let given = terms.keys(from: terms.role)
        if given.contains(.encryption) { giveLongTermKey(terms, random: &random) }
        if given.contains(.identity), let identity { give(identity) }
        if given.contains(.signing) {
            let signingKey = random.block()
            result.localSigningKey = signingKey
            outgoing.append(.signingInformation(signingKey))
        }
    }

    /// Sends what it is this host's turn to send; the result if nothing is missing.
    mutating func proceed(
        _ terms: PairingTerms,
        _ resources: PairingResources,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> PairingResult? {
        // Another connection may have made a bond with the peer since it has said who it is.
        if expected.isEmpty, let peer = result.peerIdentity { try protectBond(with: peer, terms, resources) }
        if terms.role == .peripheral || expected.isEmpty {
            for pdu in outgoing { actions.append(.send(pdu)) }
            outgoing.removeAll()
        }
        return expected.isEmpty ? result : nil
    }

    /// Handles one of the peer's keys.
    mutating func handlePDU(
        _ pdu: SMPPDU,
        _ terms: PairingTerms,
        _ resources: PairingResources
    ) throws(PairingFailureReason) {
        guard pdu.code == expected.first else { throw .unspecified }
        expected.removeFirst()
        switch pdu {
        case .encryptionInformation(let key): receivedKey = key.shortened(toOctets: terms.keySize)
        case .centralIdentification(let identification):
            guard let receivedKey else { throw .unspecified }
            let key = terms.key(receivedKey, identification)
            // The side that gives a key is asked for it as peripheral. On this connection that is the responder; the
            // initiator's key waits for one where the roles are the other way round.
            result.keyAsCentral = key
        case .identityInformation(let key): result.peerIdentityResolvingKey = key == .zero ? nil : key
        case .identityAddressInformation(let information):
            // A peer that says that it is this very device would take its place among the bonds. An address of zero is no identity:
            // in a controller's resolving list it stands for none.
            guard information.address != resources.identity?.address, information.address.value != 0 else {
                throw .keyRejected
            }
            try protectBond(with: information.address, terms, resources)
            result.peerIdentity = information.address
        case .signingInformation(let key): result.peerSigningKey = key
        default: throw .unspecified
        }
    }

    /// A peer that gives itself out as another one takes the place of its bond: of a better one never, and of any only
    /// where bonds may be replaced by such a pairing without asking the user. One that was known from the beginning has
    /// been asked about then.
    private func protectBond(
        with peer: DeviceAddress,
        _ terms: PairingTerms,
        _ resources: PairingResources
    ) throws(PairingFailureReason) {
        guard let bond = resources.bonds.first(where: { $0.peer == peer }) else { return }
        let isGranted =
            switch terms.settings.bondReplacement {
            case .asked, .refused: false
            case .granted: result.linkKey.isAuthenticated
            case .grantedWithoutAuthentication: true
            }
        guard !result.linkKey.isWeaker(than: bond.key), peer == resources.partner || isGranted
        else { throw .keyRejected }
    }

    private mutating func giveLongTermKey(_ terms: PairingTerms, random: inout CipherRandom) {
        let value = random.block().shortened(toOctets: terms.keySize)
        let diversifier = UInt16(truncatingIfNeeded: random.next())
        let identification = CentralIdentification(encryptedDiversifier: diversifier, random: random.nonZero())
        result.keyAsPeripheral = terms.key(value, identification)
        outgoing.append(.encryptionInformation(value))
        outgoing.append(.centralIdentification(identification))
    }

    private mutating func give(_ identity: LocalIdentity) {
        guard let address = IdentityAddressInformation(address: identity.address) else {
            preconditionFailure("an identity is a public or a static address")
        }
        result.gaveIdentity = true
        outgoing.append(.identityInformation(identity.resolvingKey))
        outgoing.append(.identityAddressInformation(address))
    }

    private static func codes(for keys: KeyDistribution) -> [SMPCode] {
        var codes: [SMPCode] = []
        if keys.contains(.encryption) { codes += [.encryptionInformation, .centralIdentification] }
        if keys.contains(.identity) { codes += [.identityInformation, .identityAddressInformation] }
        if keys.contains(.signing) { codes.append(.signingInformation) }
        return codes
    }
}
