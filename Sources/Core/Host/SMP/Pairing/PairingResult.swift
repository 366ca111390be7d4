public import BluethroatBluetoothCrypto
public import BluethroatBluetoothValues

/// A key that encrypts a link, and how good it is.
public struct LongTermKey: Hashable, Sendable {
    /// The key; bytes above its size are zero.
    public var value: Block128
    /// What a central asks for it by; `none` for keys of LE Secure Connections.
    public var identification: CentralIdentification
    /// Bytes of the key that are secret: 7 to 16.
    public var size: Int
    /// Whether the pairing that made it was protected from a man in the middle.
    public var isAuthenticated: Bool
    /// Whether it was made by LE Secure Connections.
    public var isSecureConnections: Bool

    public init(
        value: Block128,
        identification: CentralIdentification,
        size: Int,
        isAuthenticated: Bool,
        isSecureConnections: Bool
    ) {
        self.value = value
        self.identification = identification
        self.size = size
        self.isAuthenticated = isAuthenticated
        self.isSecureConnections = isSecureConnections
    }
}

/// What a finished pairing leaves: all that a bond needs.
public struct PairingResult: Hashable, Sendable {
    public var method: PairingMethod
    /// Whether both want to keep the keys for the next connection.
    public var isBonded: Bool
    public var usesDebugKey: Bool
    /// The key by which the link is encrypted now.
    public var linkKey: LongTermKey
    /// The key with which this host, as central, encrypts the next connection; nil if there is none.
    public var keyAsCentral: LongTermKey?
    /// The key that this host, as peripheral, is asked for on the next connection; nil if there is none.
    public var keyAsPeripheral: LongTermKey?
    /// Resolves the peer's private addresses.
    public var peerIdentityResolvingKey: Block128?
    /// The peer's public or static address.
    public var peerIdentity: DeviceAddress?
    /// Verifies what the peer signs.
    public var peerSigningKey: Block128?
    /// Signs what this host sends unencrypted.
    public var localSigningKey: Block128?
    /// Whether the peer was given this host's identity.
    public var gaveIdentity: Bool
}

/// The identity of this host, whatever address it shows.
public struct LocalIdentity: Hashable, Sendable {
    /// A public or a static random address.
    public let address: DeviceAddress
    /// What makes and resolves its private addresses; all zeros if it has none.
    public let resolvingKey: Block128

    /// Nil if the address is neither public nor static.
    public init?(address: DeviceAddress, resolvingKey: Block128) {
        guard IdentityAddressInformation(address: address) != nil else { return nil }
        self.address = address
        self.resolvingKey = resolvingKey
    }
}
