import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// A peer that is known behind its private addresses, and by which ones we appear to it. Core 6.0, Vol 6, Part B, 4.7.
struct ResolvingListEntry: Sendable {
    /// Two keys as the host gave them; all zero where a side has none and uses its identity address.
    struct Keys: Hashable, Sendable {
        var peer: Block128
        var local: Block128
    }

    /// The peer's public or static random address.
    let identity: DeviceAddress
    let keys: Keys
    /// The peer's key made ready; nil if it has none.
    let peerKey: AESKey?
    /// Our key for this peer made ready; nil if we have none.
    let localKey: AESKey?
    /// Whether the peer may use its identity address although it has a key.
    var mode = LESetPrivacyMode.Mode.network
    /// By which private address we appear to this peer.
    var local = RotatingAddress()
    /// By which private address directed advertising calls this peer.
    var target = RotatingAddress()
    /// The private address by which the peer was heard, or called, last.
    var peerAddress: DeviceAddress?

    init(identity: DeviceAddress, keys: Keys) {
        self.identity = identity
        self.keys = keys
        peerKey = keys.peer == .zero ? nil : AESKey(keys.peer)
        localKey = keys.local == .zero ? nil : AESKey(keys.local)
    }

    /// Whether this peer has to use private addresses: network privacy mode. Core 6.0, Vol 6, Part B, 6.5.
    var mustBePrivate: Bool { mode == .network && peerKey != nil }
}

/// A resolvable private address that is made anew when its time is over. Core 6.0, Vol 6, Part B, 6.1.
///
/// No timer runs for it: the address is computed for the instant at which it is needed.
struct RotatingAddress: Sendable {
    private var address: DeviceAddress?
    private var made = Instant.zero

    /// The address used last; nil if there was none yet.
    var isInUse: Bool { address != nil }

    /// The address for now.
    mutating func current(
        key: AESKey,
        lasting timeout: TimeSpan,
        at now: Instant,
        from random: inout CipherRandom
    ) -> DeviceAddress {
        if let address, now < made + timeout { return address }
        made = now
        let new = AddressHash.resolvableAddress(key: key, using: &random)
        address = new
        return new
    }
}
