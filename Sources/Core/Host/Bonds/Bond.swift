public import BluethroatBluetoothCrypto
public import BluethroatBluetoothValues

/// What two devices keep of each other after they have bonded, seen from one of them. Core 6.0, Vol 3, Part C, 9.4.
public struct Bond: Hashable, Sendable {
    /// This host's identity, under which the bond was made.
    public var local: DeviceAddress
    /// The peer's identity address; the address that it had on the air where it gave none.
    public var peer: DeviceAddress
    /// The peer's name where it is known, since people look for bonds by it.
    public var name: String?

    /// The key with which this host, as central, encrypts the next connection; nil if there is none.
    public var keyAsCentral: LongTermKey?
    /// The key that this host, as peripheral, is asked for on the next connection; nil if there is none.
    public var keyAsPeripheral: LongTermKey?
    /// Resolves the peer's private addresses; nil if it gave none.
    public var peerIdentityResolvingKey: Block128?
    /// Verifies what the peer signs.
    public var peerSigningKey: Block128?
    /// Signs what this host sends unencrypted.
    public var localSigningKey: Block128?
    /// The lowest counter that is still accepted in what the peer signs.
    public var peerSignCounter: UInt32
    /// The counter of the next thing that this host signs.
    public var localSignCounter: UInt32

    /// What the peer, as this host's client, has set.
    public var clientRecord: ClientRecord
    /// Whether the peer may show its identity address, although it has private ones.
    public var privacyMode: PrivacyMode

    /// A bond with whatever is known of it.
    public init(
        local: DeviceAddress,
        peer: DeviceAddress,
        name: String? = nil,
        keyAsCentral: LongTermKey? = nil,
        keyAsPeripheral: LongTermKey? = nil,
        peerIdentityResolvingKey: Block128? = nil,
        peerSigningKey: Block128? = nil,
        localSigningKey: Block128? = nil,
        peerSignCounter: UInt32 = 0,
        localSignCounter: UInt32 = 0,
        clientRecord: ClientRecord = ClientRecord(),
        privacyMode: PrivacyMode = .network
    ) {
        self.local = local
        self.peer = peer
        self.name = name
        self.keyAsCentral = keyAsCentral
        self.keyAsPeripheral = keyAsPeripheral
        self.peerIdentityResolvingKey = peerIdentityResolvingKey
        self.peerSigningKey = peerSigningKey
        self.localSigningKey = localSigningKey
        self.peerSignCounter = peerSignCounter
        self.localSignCounter = localSignCounter
        self.clientRecord = clientRecord
        self.privacyMode = privacyMode
    }

    /// What a pairing has left; nil if one of the two does not want to keep it.
    ///
    /// `peer` is the address that the peer had on the air. A peer that gave a resolving key and paired under its
    /// identity address all the same is not asked to hide it later: the bond is made for device privacy mode.
    public init?(
        _ result: PairingResult,
        local: DeviceAddress,
        peer: DeviceAddress,
        name: String? = nil,
        clientRecord: ClientRecord = ClientRecord()
    ) {
        guard result.isBonded else { return nil }
        let identity = result.peerIdentity ?? peer
        // A key of zeros says that there are no private addresses. Core 6.0, Vol 3, Part H, 3.6.4.
        let resolvingKey = result.peerIdentityResolvingKey == .zero ? nil : result.peerIdentityResolvingKey
        self.init(
            local: local,
            peer: identity,
            name: name,
            keyAsCentral: result.keyAsCentral,
            keyAsPeripheral: result.keyAsPeripheral,
            peerIdentityResolvingKey: resolvingKey,
            peerSigningKey: result.peerSigningKey,
            localSigningKey: result.localSigningKey,
            clientRecord: clientRecord,
            privacyMode: resolvingKey != nil && identity == peer ? .device : .network
        )
    }
}
