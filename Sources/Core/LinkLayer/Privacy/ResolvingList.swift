import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// The peers whose private addresses the controller sees through. Core 6.0, Vol 6, Part B, 4.7.
struct ResolvingList: Sendable {
    /// How long a private address of ours lasts unless the host says otherwise. Vol 4, Part E, 7.8.45.
    static let defaultTimeout = TimeSpan.seconds(900)

    private(set) var entries: [ResolvingListEntry] = []
    /// LE Set Address Resolution Enable: whether private addresses heard are resolved. Neither making our own is concerned,
    /// nor whether a peer may use its identity address.
    var isEnabled = false
    var timeout = Self.defaultTimeout
    private var peers = ResolvedAddresses()
    private var locals = ResolvedAddresses()

    // MARK: The list

    func index(of identity: DeviceAddress) -> Int? {
        for index in entries.indices where entries[index].identity == identity { return index }
        return nil
    }

    /// Adding what is there already changes nothing; an identity or a peer's key that is there otherwise is refused,
    /// since it would no longer be clear who is meant. Vol 4, Part E, 7.8.38.
    mutating func add(
        _ identity: DeviceAddress,
        keys: ResolvingListEntry.Keys,
        capacity: Int
    ) -> ControllerError {
        for entry in entries {
            if entry.identity == identity {
                return entry.keys == keys ? .success : .invalidCommandParameters
            }
            if entry.peerKey != nil, entry.keys.peer == keys.peer { return .invalidCommandParameters }
        }
        guard entries.count < capacity else { return .memoryCapacityExceeded }
        entries.append(ResolvingListEntry(identity: identity, keys: keys))
        forgetResolved()
        return .success
    }

    mutating func remove(_ identity: DeviceAddress) -> ControllerError {
        guard let index = index(of: identity) else { return .unknownConnectionIdentifier }
        entries.remove(at: index)
        forgetResolved()
        return .success
    }

    mutating func removeAll() {
        entries.removeAll()
        forgetResolved()
    }

    mutating func set(_ mode: LESetPrivacyMode.Mode, of identity: DeviceAddress) -> ControllerError {
        guard let index = index(of: identity) else { return .unknownConnectionIdentifier }
        entries[index].mode = mode
        return .success
    }

    private mutating func forgetResolved() {
        peers.removeAll()
        locals.removeAll()
    }

    // MARK: Others' addresses

    var isEmpty: Bool { entries.isEmpty }

    /// The identity behind a received address. In network privacy mode a peer with a key is not served by its identity
    /// address, whether private addresses are resolved or not. Vol 6, Part B, 4.7, 6.2 to 6.5.
    mutating func identify(_ address: DeviceAddress) -> HeardDevice {
        guard !entries.isEmpty else { return HeardDevice(address) }
        guard address.randomSubtype == .resolvablePrivate else {
            guard let index = index(of: address) else { return HeardDevice(address) }
            return HeardDevice(address, mustBePrivate: entries[index].mustBePrivate)
        }
        guard isEnabled else { return HeardDevice(address) }
        guard let index = peers.entry(of: address, among: entries, with: \.peerKey) else { return HeardDevice(address) }
        entries[index].peerAddress = address
        return HeardDevice(address, identity: entries[index].identity)
    }

    /// Whether the target address of a request is a private one of ours.
    mutating func isOurs(_ address: DeviceAddress) -> Bool {
        guard isEnabled, !entries.isEmpty, address.randomSubtype == .resolvablePrivate else { return false }
        return locals.entry(of: address, among: entries, with: \.localKey) != nil
    }

    /// The private address by which a peer was heard or called last.
    func peerAddress(of identity: DeviceAddress) -> DeviceAddress? {
        index(of: identity).flatMap { entries[$0].peerAddress }
    }

    // MARK: Addresses made here

    /// The private address by which we appear to a peer; nil if there is no key for it.
    mutating func localAddress(
        towards identity: DeviceAddress,
        at now: Instant,
        from random: inout CipherRandom
    ) -> DeviceAddress? {
        guard let index = index(of: identity), let key = entries[index].localKey else { return nil }
        return entries[index].local.current(key: key, lasting: timeout, at: now, from: &random)
    }

    /// The same without effect: an address that was never used is not made by the query.
    mutating func localAddressInUse(
        towards identity: DeviceAddress,
        at now: Instant,
        from random: inout CipherRandom
    ) -> DeviceAddress? {
        guard let index = index(of: identity), entries[index].local.isInUse else { return nil }
        return localAddress(towards: identity, at: now, from: &random)
    }

    /// The private address by which directed advertising calls a peer; nil if the peer has no key.
    mutating func targetAddress(
        of identity: DeviceAddress,
        at now: Instant,
        from random: inout CipherRandom
    ) -> DeviceAddress? {
        guard let index = index(of: identity), let key = entries[index].peerKey else { return nil }
        let address = entries[index].target.current(key: key, lasting: timeout, at: now, from: &random)
        entries[index].peerAddress = address
        return address
    }
}
