public import BluethroatBluetoothValues
public import BluethroatHost
import BluethroatVirtualTime

// How the fob pairs. Its bond manager answers by itself; the observer gets notices.
extension KeyFobDevice {
    func handle(_ event: SecurityEvent, at now: Instant) {
        let change = KeyFobNotice.Change(event) { [connection] id in connection?.id == id ? connection?.peer : nil }
        if let change { tell(change, at: now) }
    }
}

extension KeyFobNotice.Change {
    /// The notice of a pairing or a bond; nil where there is none, and for a connection without a known peer.
    public init?(_ event: SecurityEvent, peer: (ConnectionID) -> DeviceAddress?) {
        func told(_ id: ConnectionID, _ change: (DeviceAddress) -> Self) -> Self? { peer(id).map(change) }
        let change: Self? =
            switch event {
            case .pairing(.passkeyShown(let id, let passkey)): told(id) { .passkey($0, passkey) }
            case .pairing(.failed(let id, let failure)): told(id) { .pairingFailed($0, failure) }
            case .paired(let id, let result): told(id) { .paired($0, KeyFobNotice.Pairing(result)) }
            case .encryptionChanged(let id, let security): told(id) { .encrypted($0, security) }
            case .encryptionFailed(let id, .pinOrKeyMissing): told(id) { .keyMissing($0) }
            case .bondRemoved(let peer): .bondRemoved(peer)
            case .bondStoreFailed(let error): .bondsFailed(error)
            case .pairing, .encryptionFailed, .bondSaved: nil
            }
        guard let change else { return nil }
        self = change
    }
}

extension PairingSettings {
    /// Host settings for the settings of the fob's bond manager.
    init(_ pairing: KeyFobPairing) {
        self.init()
        inputOutput = .displayOnly
        protection = pairing.wantsProtection ? .wanted : .notWanted
        bonding = pairing.bonds
        secureConnections = pairing.usesSecureConnections ? .preferred : .never
        guard let digits = Passkey(pairing.passkey) else {
            preconditionFailure("a passkey has six digits, so \(pairing.passkey) is none")
        }
        passkey = .fixed(digits)
        // TI's list: the fob gives the key for the next connection and its identity, and takes the central's identity
        // and its key for signatures.
        givenKeys = [.encryption, .identity]
        takenKeys = [.identity, .signing]
        minimumKeySize = pairing.minimumKeySize
        if pairing.demandsSecureConnections { enterSecureConnectionsOnlyMode() }
        // A central that has lost its half of the bond may make another, under whatever address it comes, if it knows
        // the passkey: the fob has no person to ask. The host sees to it that the new bond is no weaker.
        bondReplacement = .granted
    }
}

extension ServiceDefinition {
    /// The same service with values and configurations that ask this much of a link; what a device is, and which
    /// services it has, any central may know.
    func demanding(_ demand: KeyFobPairing.Demand) -> Self {
        guard demand != .nothing, ![0x1800, 0x1801, 0x180A].contains(uuid) else { return self }
        let security: AttributeAccess.Security = demand == .encryption ? .encrypted : .authenticated
        var service = self
        for index in service.characteristics.indices {
            service.characteristics[index].permissions.demand(security)
            for place in service.characteristics[index].descriptors.indices {
                service.characteristics[index].descriptors[place].demand(security)
            }
        }
        return service
    }
}

extension AttributePermissions {
    fileprivate mutating func demand(_ security: AttributeAccess.Security) {
        read.security = max(read.security, security)
        write.security = max(write.security, security)
    }
}

extension DescriptorDefinition {
    /// A central that may not read the value may not have it notified either. Every central may read how it is
    /// configured, as the specification wants. Core 6.0, Vol 3, Part G, 3.3.3.3.
    fileprivate mutating func demand(_ security: AttributeAccess.Security) {
        guard case .clientConfiguration(var permissions, let refusal) = kind else { return }
        permissions.write.security = max(permissions.write.security, security)
        kind = .clientConfiguration(permissions: permissions, refusal: refusal)
    }
}
