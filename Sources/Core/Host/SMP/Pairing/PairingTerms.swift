internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// The addresses that the two devices use on this connection, private ones as they are on the air.
struct PairingAddresses: Equatable, Sendable {
    var initiator: DeviceAddress
    var responder: DeviceAddress
}

/// What two devices have agreed on once both have said what they can do. Core 6.0, Vol 3, Part H, 2.3.
///
/// It never changes, and goes through every step of a pairing: an object, since a value of this size would be copied
/// each time.
final class PairingTerms: Sendable {
    /// This host's role: a central has initiated the pairing, a peripheral responds.
    let role: ConnectionRole
    let addresses: PairingAddresses
    let request: PairingFeatures
    let response: PairingFeatures
    let settings: PairingSettings
    let method: PairingMethod
    let usesSecureConnections: Bool
    /// Bytes of the encryption key.
    let keySize: Int
    let isBonded: Bool

    /// Judges what the peer has sent against what this host demands.
    init(
        role: ConnectionRole,
        addresses: PairingAddresses,
        request: PairingFeatures,
        response: PairingFeatures,
        settings: PairingSettings
    ) throws(PairingFailureReason) {
        let peer = role == .central ? response : request
        let sizes = settings.keySizes
        guard peer.maximumKeySize <= 16 else { throw .invalidParameters }
        keySize = min(Int(peer.maximumKeySize), sizes.upperBound)
        guard keySize >= sizes.lowerBound else { throw .encryptionKeySize }

        // A responder may strike keys off the list, not add any. Core 6.0, Vol 3, Part H, 3.6.1.
        let known: KeyDistribution = [.encryption, .identity, .signing]
        guard
            role == .peripheral
                || response.initiatorKeys.intersection(known).isSubset(of: request.initiatorKeys)
                    && response.responderKeys.intersection(known).isSubset(of: request.responderKeys)
        else { throw .invalidParameters }

        let both = request.requirements.intersection(response.requirements)
        usesSecureConnections = both.contains(.secureConnections)
        guard usesSecureConnections || settings.secureConnections != .only else { throw .authenticationRequirements }
        method = PairingMethod.chosen(initiator: request, responder: response)
        guard method.isAuthenticated || settings.protection != .required else { throw .authenticationRequirements }

        guard settings.associationModels.contains(method.associationModel) else { throw .authenticationRequirements }

        isBonded = both.contains(.bonding)
        self.role = role
        self.addresses = addresses
        self.request = request
        self.response = response
        self.settings = settings
    }

    /// What this host, or its peer, is to give away. A device that does not bond strikes all keys off the list; one that
    /// leaves them there will send them, and wait for ours.
    func keys(from giver: ConnectionRole) -> KeyDistribution {
        let keys =
            giver == .central
            ? request.initiatorKeys.intersection(response.initiatorKeys)
            : request.responderKeys.intersection(response.responderKeys)
        // Secure Connections have made the long term key already. Core 6.0, Vol 3, Part H, 3.6.1.
        return usesSecureConnections ? keys.subtracting([.encryption, .link]) : keys.subtracting(.link)
    }

    /// Whether this host, or its peer, has received what came on another way.
    func hasOutOfBandData(_ device: ConnectionRole) -> Bool {
        device == .central ? request.hasOutOfBandData : response.hasOutOfBandData
    }

    var peerRole: ConnectionRole { role == .central ? .peripheral : .central }

    /// Whether both want keypress notifications.
    var usesKeypressNotifications: Bool {
        guard case .passkeyEntry = method else { return false }
        return request.requirements.intersection(response.requirements).contains(.keypressNotifications)
    }

    /// How this host describes the key that the pairing makes.
    func key(_ value: Block128, _ identification: CentralIdentification = .none) -> LongTermKey {
        LongTermKey(
            value: value,
            identification: identification,
            size: keySize,
            isAuthenticated: method.isAuthenticated,
            isSecureConnections: usesSecureConnections
        )
    }
}

extension PairingSettings {
    /// What an initiator sends. `hasIdentity` says whether this host has an identity to give.
    func request(hasIdentity: Bool) -> PairingFeatures {
        PairingFeatures(
            inputOutput: inputOutput,
            hasOutOfBandData: secureConnections == .never
                ? outOfBand.temporaryKey != nil : outOfBand.secureConnections != nil,
            requirements: requirements,
            maximumKeySize: UInt8(keySizes.upperBound),
            initiatorKeys: given(hasIdentity: hasIdentity),
            responderKeys: taken
        )
    }

    /// What a responder sends.
    func response(to request: PairingFeatures, hasIdentity: Bool) -> PairingFeatures {
        let usesSecureConnections =
            secureConnections != .never && request.requirements.contains(.secureConnections)
        // Without a bond no bonding information is exchanged. Core 6.0, Vol 3, Part C, 9.4.2.2.
        let bonds = request.requirements.contains(.bonding)
        return PairingFeatures(
            inputOutput: inputOutput,
            hasOutOfBandData: usesSecureConnections
                ? outOfBand.secureConnections != nil : outOfBand.temporaryKey != nil,
            requirements: requirements,
            maximumKeySize: UInt8(keySizes.upperBound),
            initiatorKeys: bonds ? taken.intersection(request.initiatorKeys) : [],
            responderKeys: bonds ? given(hasIdentity: hasIdentity).intersection(request.responderKeys) : []
        )
    }

    /// The AuthReq field, of both pairing PDUs and of the Security Request.
    var requirements: AuthenticationRequirements {
        var requirements: AuthenticationRequirements = []
        if bonding { requirements.insert(.bonding) }
        if protection != .notWanted { requirements.insert(.manInTheMiddleProtection) }
        if secureConnections != .never { requirements.insert(.secureConnections) }
        if keypressNotifications { requirements.insert(.keypressNotifications) }
        return requirements
    }

    private var taken: KeyDistribution {
        bonding ? takenKeys.intersection([.encryption, .identity, .signing]) : []
    }

    private func given(hasIdentity: Bool) -> KeyDistribution {
        guard bonding else { return [] }
        return givenKeys.intersection(hasIdentity ? [.encryption, .identity, .signing] : [.encryption, .signing])
    }
}
