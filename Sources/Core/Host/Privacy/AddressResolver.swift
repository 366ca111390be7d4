internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// Finds which bonded peer is behind an address, by the keys of the bonds. Core 6.0, Vol 3, Part C, 10.8.2.3.
struct AddressResolver {
    /// What an address says about who shows it.
    enum Finding: Equatable {
        /// No device that the host knows.
        case stranger
        /// The bonded peer with this identity.
        case peer(DeviceAddress)
        /// The identity address of a peer that has private ones and has promised to show those only: it is another
        /// device, or the peer with its privacy lost, and is not to be answered. Core 6.0, Vol 6, Part B, 6.
        case exposed(DeviceAddress)
    }

    private struct Entry {
        var identity: DeviceAddress
        var block: Block128?
        var key: AESKey?
        var mode: PrivacyMode
    }

    private var entries: [Entry] = []
    /// What was found out about private addresses, since each comes again with every advertisement.
    private var cache: [DeviceAddress: Finding] = [:]

    /// Many unknown addresses do not make it grow beyond this.
    private static let cacheLimit = 1024

    /// Goes by these bonds from now on.
    mutating func set(_ bonds: [Bond]) {
        // Bonds change far more often than what they say about addresses: a counter, a subscription.
        let isSame = entries.elementsEqual(bonds) {
            $0.identity == $1.peer && $0.block == $1.peerIdentityResolvingKey && $0.mode == $1.privacyMode
        }
        guard !isSame else { return }
        entries = bonds.map {
            Entry(
                identity: $0.peer,
                block: $0.peerIdentityResolvingKey,
                key: $0.peerIdentityResolvingKey.map { AESKey($0) },
                mode: $0.privacyMode
            )
        }
        cache = [:]
    }

    var isEmpty: Bool { entries.isEmpty }

    mutating func finding(for address: DeviceAddress) -> Finding {
        guard !entries.isEmpty else { return .stranger }
        guard address.randomSubtype == .resolvablePrivate else { return findingAsShown(address) }
        if let known = cache[address] { return known }
        let finding = resolve(address)
        if cache.count >= Self.cacheLimit { cache.removeAll(keepingCapacity: true) }
        cache[address] = finding
        return finding
    }

    private func resolve(_ address: DeviceAddress) -> Finding {
        for entry in entries {
            guard let key = entry.key, AddressHash.resolves(address, key: key) else { continue }
            return .peer(entry.identity)
        }
        // A peer without identity may have paired under a private address and not have changed it since.
        return findingAsShown(address)
    }

    private func findingAsShown(_ address: DeviceAddress) -> Finding {
        guard let entry = entries.first(where: { $0.identity == address }) else { return .stranger }
        return entry.key != nil && entry.mode == .network ? .exposed(address) : .peer(address)
    }
}
