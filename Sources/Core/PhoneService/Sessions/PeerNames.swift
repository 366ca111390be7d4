import BluethroatBluetoothValues
import BluethroatVirtualTime

/// The names under which the apps of a phone know its peers.
///
/// A name follows from the phone, the app and the peer's identity, so that it is the same in every run; without
/// the phone's number, no address can be learned from it.
struct PeerNames {
    /// The number of this phone, which others do not have.
    var phone: UInt64 = 0
    /// The address under which a peer was named that has shown its identity later.
    private var firstAddresses: [DeviceAddress: DeviceAddress] = [:]
    private var addresses: [PeerID: DeviceAddress] = [:]
    /// Names that were given before the phone was switched on, and had its number.
    private var early: [EarlyName: PeerID] = [:]

    private struct EarlyName: Hashable {
        let peer: DeviceAddress
        let app: AppID
    }

    /// The name of a peer that the phone knows from earlier. It stays the same when the phone is switched on.
    mutating func keepName(of peer: DeviceAddress, for app: AppID) -> PeerID {
        let id = name(of: peer, for: app)
        early[EarlyName(peer: peer, app: app)] = id
        return id
    }

    /// The peer that was named by one address is known to have this identity, and keeps its name.
    mutating func learn(identity: DeviceAddress, of address: DeviceAddress) {
        guard identity != address, firstAddresses[identity] == nil else { return }
        firstAddresses[identity] = firstAddresses[address] ?? address
    }

    /// The name of a peer, by its identity where it is known.
    mutating func name(of peer: DeviceAddress, for app: AppID) -> PeerID {
        let address = firstAddresses[peer] ?? peer
        if !early.isEmpty, let id = early[EarlyName(peer: address, app: app)] {
            addresses[id] = peer
            return id
        }
        var random = SeededRandom(
            seed: phone ^ UInt64(app.number) << 48,
            device: UInt64(address.kind.rawValue) << 48 | address.value,
            purpose: "peer name"
        )
        // The bits that mark a random UUID. RFC 9562, 5.4.
        let id = PeerID(
            high: random.next() & ~0xF000 | 0x4000,
            low: random.next() & ~(0b11 << 62) | 0b10 << 62
        )
        addresses[id] = peer
        return id
    }

    /// A peer is forgotten. It has the same name when it is met again.
    mutating func forget(_ id: PeerID) { addresses[id] = nil }

    /// Which peer has this name: the address, or the identity, by which it was named last.
    func address(of id: PeerID) -> DeviceAddress? { addresses[id] }
}

/// Distinguishes the apps of a phone: each knows peers under names of its own.
public struct AppID: Hashable, Sendable {
    /// Chosen by the owner of the phone, and the same in every run.
    public let number: UInt32

    public init(number: UInt32) { self.number = number }
}
