import BluethroatBluetoothValues
import BluethroatHCI

/// The devices that filter policies let through. Core 6.0, Vol 6, Part B, 4.3.1.
struct FilterAcceptList: Sendable {
    /// What may be in it.
    enum Entry: Hashable, Sendable {
        case device(DeviceAddress)
        /// All that advertise without an address, which is none of those that legacy advertising has. Vol 4, Part E, 7.8.16.
        case anonymous

        /// Nil for a type that these commands do not have.
        init?(_ peer: PeerAddress) {
            if peer.type == .anonymous {
                self = .anonymous
            } else if peer.isOnAir {
                self = .device(peer.address)
            } else {
                return nil
            }
        }
    }

    /// In the order added; lists are short, and nothing here may depend on hashes.
    private var entries: [Entry] = []

    var count: Int { entries.count }

    func contains(_ device: DeviceAddress) -> Bool { contains(.device(device)) }

    func contains(_ entry: Entry) -> Bool { entries.contains(entry) }

    /// Adding what is there already changes nothing.
    mutating func add(_ entry: Entry) {
        if !contains(entry) { entries.append(entry) }
    }

    mutating func remove(_ entry: Entry) { entries.removeAll { $0 == entry } }

    mutating func removeAll() { entries.removeAll() }
}
