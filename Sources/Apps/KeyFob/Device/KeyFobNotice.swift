public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// Something about a key fob that has changed, for its observer.
public struct KeyFobNotice: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case advertising(Bool)
        case connected(DeviceAddress)
        /// The central that has just come is a bonded one, by this identity.
        case recognised(DeviceAddress, identity: DeviceAddress)
        case disconnected(DeviceAddress, reason: ControllerError)
        /// The keys that are down.
        case keys(KeyFobKeys)
        /// The alert and why it sounds; without a source it has ended.
        case alert(AlertLevel, AlertSource?)
        /// The buzzer's tone in hertz; nil is silence.
        case tone(hertz: Int?)
        case led(KeyFobLED, on: Bool)
        /// The level the fob measured last.
        case battery(percent: UInt8)
        case transmitPower(dBm: Int8)
        case accelerometer(enabled: Bool)
        /// A central subscribes to a value, or unsubscribes; named by the handle of the value.
        case subscribed(DeviceAddress, BluetoothUUID, AttributeHandle, on: Bool)
        /// A person who holds the fob, or its manual, reads these digits and types them into the central.
        case passkey(DeviceAddress, Passkey)
        case paired(DeviceAddress, Pairing)
        case pairingFailed(DeviceAddress, PairingFailure)
        /// The link is encrypted now, or with another key, or no longer.
        case encrypted(DeviceAddress, LinkSecurity)
        /// The central wanted to encrypt with the key of a bond that the fob does not have.
        case keyMissing(DeviceAddress)
        case bondRemoved(DeviceAddress)
        /// Bonds could not be read, or one was not kept.
        case bondsFailed(BondStoreError)
        /// The radio could not be brought up, or has failed.
        case radioFailed(HostFailure)
    }

    /// What a pairing has come to, without its keys.
    public struct Pairing: Hashable, Sendable {
        public var method: PairingMethod
        /// The central's identity, if it gave one.
        public var identity: DeviceAddress?
        public var isAuthenticated: Bool
        public var isSecureConnections: Bool
        /// In bytes.
        public var keySize: Int
        public var isBonded: Bool

        public init(_ result: PairingResult) {
            method = result.method
            identity = result.peerIdentity
            isAuthenticated = result.linkKey.isAuthenticated
            isSecureConnections = result.linkKey.isSecureConnections
            keySize = result.linkKey.size
            isBonded = result.isBonded
        }
    }

    /// When it changed.
    public var time: Instant
    public var change: Change

    public init(time: Instant, change: Change) {
        self.time = time
        self.change = change
    }
}
