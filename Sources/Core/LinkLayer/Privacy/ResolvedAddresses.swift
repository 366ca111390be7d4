import BluethroatBluetoothCrypto
import BluethroatBluetoothValues

/// What came of resolving addresses, so that each costs its ciphers once: neighbours advertise many times a second under
/// the same address. It must be emptied when the list changes.
struct ResolvedAddresses: Sendable {
    /// How many addresses are remembered; after that many it begins anew.
    static let capacity = 4_096

    /// Places in the list, -1 for an address that no key has made.
    private var places: [UInt64: Int16] = [:]

    mutating func removeAll() { places.removeAll() }

    /// The first entry whose key has made a resolvable private address.
    mutating func entry(
        of address: DeviceAddress,
        among entries: [ResolvingListEntry],
        with key: KeyPath<ResolvingListEntry, AESKey?>
    ) -> Int? {
        if let place = places[address.value] { return place < 0 ? nil : Int(place) }
        let found = entries.firstIndex { entry in
            entry[keyPath: key].map { AddressHash.resolves(address, key: $0) } ?? false
        }
        if places.count >= Self.capacity { places.removeAll(keepingCapacity: true) }
        places[address.value] = Int16(found ?? -1)
        return found
    }
}
