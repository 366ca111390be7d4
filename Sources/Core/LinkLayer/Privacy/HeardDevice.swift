import BluethroatBluetoothValues
import BluethroatHCI

/// A device that was heard: the address it used, and who it is as far as that is known.
struct HeardDevice: Hashable, Sendable {
    /// As on the air.
    let onAir: DeviceAddress
    /// The identity behind a private address that was resolved, else the address on the air.
    let device: DeviceAddress
    /// Whether the resolving list knew who it is.
    let isResolved: Bool
    /// Whether it showed its identity although it has to be private: then it was not heard. Core 6.0, Vol 6, Part B, 6.5.
    let isRefused: Bool

    /// A device about which the resolving list has nothing to say, or an identity that is in it.
    init(_ address: DeviceAddress, mustBePrivate: Bool = false) {
        onAir = address
        device = address
        isResolved = false
        isRefused = mustBePrivate
    }

    /// A device whose private address was resolved.
    init(_ address: DeviceAddress, identity: DeviceAddress) {
        onAir = address
        device = identity
        isResolved = true
        isRefused = false
    }

    /// As the controller reports it to hosts.
    var peer: PeerAddress { isResolved ? PeerAddress(identity: device) : PeerAddress(onAir) }
}

/// The address by which this controller appears to a peer, and what it stands for.
struct OwnAddress: Hashable, Sendable {
    /// As on the air.
    let onAir: DeviceAddress
    /// The public or random address that a private one stands for; all zero if the host never gave one.
    let identity: DeviceAddress

    init(onAir: DeviceAddress, identity: DeviceAddress) {
        self.onAir = onAir
        self.identity = identity
    }

    /// A public address.
    init(public value: UInt64) {
        let address = DeviceAddress(value: value, kind: .public)
        self.init(onAir: address, identity: address)
    }

    /// Whether it was made here with a key of the resolving list.
    var isPrivate: Bool { onAir != identity }
}
