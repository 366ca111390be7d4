internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// What the controller's resolving list holds, and how it comes to hold what it should. Core 6.0, Vol 4, Part E, 7.8.38
/// to 7.8.45 and 7.8.77.
struct ResolvingListSequencer {
    /// A peer whose private addresses the controller resolves, and to whom it shows private ones of its own.
    struct Entry: Equatable, Sendable {
        var peer: DeviceAddress
        /// Zero for a peer without private addresses.
        var key: Block128
        var mode: PrivacyMode
    }

    /// One command on the way.
    enum Step: Equatable, Sendable {
        case setTimeout
        case remove(DeviceAddress)
        case add(Entry)
        case setMode(DeviceAddress)
        case enable
    }

    /// The identity of the entry for peers that are not on the list: with it the controller makes private addresses
    /// for undirected advertising.
    static let allZeroIdentity = DeviceAddress(value: 0, kind: .public)

    /// How many entries the controller takes; 0 where it has no list, or the host does not use it.
    private(set) var capacity = 0
    /// Whether the host can set the controller's privacy mode for a peer.
    private var knowsModes = false
    private var localKey = Block128.zero
    private var seconds: UInt16 = 900

    /// What the controller holds.
    private(set) var entries: [Entry] = []
    private var wanted: [Entry] = []
    /// Those whose mode the controller has received.
    private var withMode: [DeviceAddress] = []
    /// Those that the controller would not take.
    private var refused: [DeviceAddress] = []
    private var hasTimeout = false
    /// Whether the controller resolves.
    private(set) var isEnabled = false
    /// Whether the entry with the all-zero identity is requested.
    var wantsAllZeroIdentity = false

    /// Whether there is a list to be used.
    var isUsed: Bool { capacity > 0 }

    /// A list in a controller that was just reset.
    mutating func begin(capacity: Int, knowsModes: Bool, localKey: Block128, rotation: TimeSpan) {
        self = Self()
        self.capacity = capacity
        self.knowsModes = knowsModes
        self.localKey = localKey
        seconds = UInt16(min(max(rotation.nanoseconds / 1_000_000_000, 1), 3600))
    }

    /// Whether the controller knows this peer, and resolves it or is about to.
    func contains(_ peer: DeviceAddress) -> Bool { isEnabled && entries.contains { $0.peer == peer } }

    /// Whether the controller has refused the entry with the all-zero identity.
    var refusesAllZeroIdentity: Bool { refused.contains(Self.allZeroIdentity) }

    /// What the list should hold. Peers with private addresses come first: the others lose less if it is too short.
    mutating func set(_ bonds: [Bond]) {
        wanted = []
        for bond in bonds {
            guard let key = bond.peerIdentityResolvingKey else { continue }
            // A controller whose privacy mode cannot be set insists on private addresses; then the host resolves.
            guard knowsModes || bond.privacyMode == .network else { continue }
            wanted.append(Entry(peer: bond.peer, key: key, mode: bond.privacyMode))
        }
        for bond in bonds where bond.peerIdentityResolvingKey == nil {
            guard bond.peer.randomSubtype == nil || bond.peer.randomSubtype == .staticDevice else { continue }
            wanted.append(Entry(peer: bond.peer, key: .zero, mode: .network))
        }
        refused.removeAll { $0 != Self.allZeroIdentity }
    }

    /// The next command; nil if the list is as it should be.
    var nextStep: Step? {
        guard isUsed, !isEmpty else { return nil }
        let target = self.target
        if let surplus = entries.first(where: { !target.contains($0) }) { return .remove(surplus.peer) }
        if let missing = target.first(where: { !entries.contains($0) }) {
            return hasTimeout ? .add(missing) : .setTimeout
        }
        if let strict = entries.first(where: { $0.mode == .device && !withMode.contains($0.peer) }) {
            return .setMode(strict.peer)
        }
        return isEnabled || entries.isEmpty ? nil : .enable
    }

    /// Whether the list holds nothing, and should not: most hosts have no bonds.
    private var isEmpty: Bool { entries.isEmpty && wanted.isEmpty && !wantsAllZeroIdentity }

    private var target: [Entry] {
        var target = wanted.filter { !refused.contains($0.peer) }
        if wantsAllZeroIdentity, !refusesAllZeroIdentity {
            target.insert(Entry(peer: Self.allZeroIdentity, key: .zero, mode: .network), at: 0)
        }
        return Array(target.prefix(capacity))
    }

    func command(_ step: Step) -> Command {
        switch step {
        case .setTimeout:
            .leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout(seconds: seconds))
        case .remove(let peer):
            .leRemoveDeviceFromResolvingList(LERemoveDeviceFromResolvingList(identity: PeerAddress(peer)))
        case .add(let entry):
            .leAddDeviceToResolvingList(
                LEAddDeviceToResolvingList(
                    identity: PeerAddress(entry.peer),
                    peerResolvingKey: Self.bytes(entry.key),
                    localResolvingKey: Self.bytes(localKey)
                )
            )
        case .setMode(let peer): .leSetPrivacyMode(LESetPrivacyMode(identity: PeerAddress(peer), mode: .device))
        case .enable: .leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: true))
        }
    }

    /// Handles the answer to a step. What the controller refuses the host does itself.
    mutating func answer(_ step: Step, status: ControllerError) {
        let isDone = status == .success
        switch step {
        case .setTimeout: hasTimeout = true
        case .remove(let peer):
            // What cannot be removed is not there.
            entries.removeAll { $0.peer == peer }
            withMode.removeAll { $0 == peer }
        case .add(let entry):
            if isDone {
                entries.append(entry)
            } else if status == .memoryCapacityExceeded {
                // The list is shorter than it was said to be.
                capacity = entries.count
            } else {
                refused.append(entry.peer)
            }
        case .setMode(let peer):
            if isDone { withMode.append(peer) } else { refused.append(peer) }
        case .enable:
            isEnabled = isDone
            if !isDone { capacity = 0 }
        }
    }

    private static func bytes(_ key: Block128) -> [UInt8] {
        var bytes: [UInt8] = []
        key.write(to: &bytes)
        return bytes
    }
}
