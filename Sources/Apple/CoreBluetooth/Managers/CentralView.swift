internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

/// What a central manager knows.
struct CentralView: Sendable {
    var isScanning = false
    private var wanted = WantedServices()
    /// The peers that the phone has told of, and those that the app may have an object of.
    private var peers: [PeerID: PeerView] = [:]
    /// Those of them that keep what the app was shown, and the place of the one that gives way next: a crowd's would take
    /// too much room.
    private var shown: [PeerID] = []
    private var oldestShown = 0

    private static let mostShown = 256

    mutating func look(for services: [CBUUID]) {
        wanted = WantedServices(services)
        // What was shown has the objects of an earlier scan.
        for peer in shown { peers[peer]?.shown = nil }
        (shown, oldestShown) = ([], 0)
    }

    // MARK: What the phone knows

    func summary(of id: PeerID) -> PeerSummary? { peers[id]?.summary }

    mutating func learn(_ summary: PeerSummary) { peers[summary.id, default: PeerView()].summary = summary }

    /// The phone does not know a peer any more. An object that the app still has stays that of the peer.
    mutating func forget(_ id: PeerID) {
        peers[id]?.summary = nil
        if peers[id]?.object == nil { peers[id] = nil }
    }

    /// Those that are connected to the phone and have one of the services, in the order of their identifiers.
    func connected(withAnyOf services: Set<BluetoothUUID>) -> [PeerSummary] {
        peers.values.compactMap(\.summary)
            .filter { summary in summary.connectedServices.map { !services.isDisjoint(with: $0) } ?? false }
            .sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }

    // MARK: What the app has

    func object(for id: PeerID) -> CBPeripheral? { peers[id]?.object }

    var livePeripherals: [CBPeripheral] {
        peers.values.compactMap(\.object).sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }

    /// The object for a peer; made where there is none. `make` runs while this is locked, and must not look at it.
    mutating func object(for summary: PeerSummary, orMake make: (PeerSummary) -> CBPeripheral) -> CBPeripheral {
        if let known = peers[summary.id]?.object { return known }
        let new = make(summary)
        peers[summary.id, default: PeerView()].object = new
        return new
    }

    /// No object that the app has is of any use any more.
    mutating func forgetObjects() {
        for id in peers.keys { peers[id]?.object = nil }
    }

    // MARK: What the app is shown

    /// The peer was heard: the app's object, made where there is none, what the peer's name is now, and what the app is shown.
    /// `make` runs while this is locked, and must not look at it.
    mutating func see(
        _ sighting: Sighting,
        orMake make: (PeerSummary) -> CBPeripheral
    ) -> (object: CBPeripheral, name: String?, dictionary: [String: Any]) {
        let seen = peers[sighting.peer, default: PeerView()].see(sighting, wanted, make)
        if seen.isFirst { noteShown(sighting.peer) }
        return (seen.object, seen.name, seen.dictionary)
    }

    private mutating func noteShown(_ peer: PeerID) {
        guard shown.count >= Self.mostShown else { return shown.append(peer) }
        peers[shown[oldestShown]]?.shown = nil
        shown[oldestShown] = peer
        oldestShown = (oldestShown + 1) % Self.mostShown
    }
}

/// An app's own objects for the services that it looks for: it is shown these, and not new ones each time.
struct WantedServices: Sendable {
    private var objects: [BluetoothUUID: CBUUID] = [:]
    /// In the order in which the app has named them; nil for those of a subclass, which may be anything.
    private var inOrder: [CBUUID?] = []

    init(_ services: [CBUUID] = []) {
        inOrder = services.map { type(of: $0) == CBUUID.self ? $0 : nil }
        for case let service? in inOrder { objects[service.value] = service }
    }

    func object(for uuid: BluetoothUUID) -> CBUUID {
        // A long spelling of a short UUID is printed otherwise.
        if let known = objects[uuid], known.value.width == uuid.width { known } else { CBUUID(uuid) }
    }

    /// The same for one that stood in a place of a scan's list, be it that of an earlier scan.
    func object(for uuid: BluetoothUUID, inPlace place: Int) -> CBUUID {
        guard place < inOrder.count, let own = inOrder[place], own.value == uuid, own.value.width == uuid.width else {
            return object(for: uuid)
        }
        return own
    }
}

/// What a central manager knows of one peer.
private struct PeerView: @unchecked Sendable {
    /// What the phone knows; nil where only the app has an object.
    var summary: PeerSummary?
    /// The object that the app may still have.
    weak var object: CBPeripheral?
    /// What the app was shown last.
    var shown: ShownAdvertisement?

    /// The peer was heard. `isFirst`: whether nothing was kept of what the app was shown before.
    mutating func see(
        _ sighting: Sighting,
        _ wanted: WantedServices,
        _ make: (PeerSummary) -> CBPeripheral
    ) -> (object: CBPeripheral, name: String?, dictionary: [String: Any], isFirst: Bool) {
        var summary = summary ?? PeerSummary(id: sighting.peer)
        if let name = sighting.name, name != summary.name { summary.name = name }
        if summary.name != self.summary?.name || self.summary == nil { self.summary = summary }
        let object: CBPeripheral
        if let known = self.object {
            object = known
        } else {
            object = make(summary)
            self.object = object
        }
        if let shown, shown.shows(sighting) { return (object, summary.name, shown.dictionary, false) }
        let isFirst = shown == nil
        let new = ShownAdvertisement(sighting, wanted)
        shown = new
        return (object, summary.name, new.dictionary, isFirst)
    }
}

/// What an app was shown of a peer, so that the same is not made again: few peers change what they advertise.
struct ShownAdvertisement: @unchecked Sendable {
    private let advertisement: AdvertisingData
    private let overflowServices: OverflowServices
    private let isConnectable: Bool
    /// Nothing in it can be changed.
    let dictionary: [String: Any]

    init(_ sighting: Sighting, _ wanted: WantedServices) {
        advertisement = sighting.advertisement
        overflowServices = sighting.overflowServices
        isConnectable = sighting.isConnectable
        dictionary = sighting.dictionary(with: wanted)
    }

    func shows(_ sighting: Sighting) -> Bool {
        isConnectable == sighting.isConnectable && advertisement == sighting.advertisement
            && overflowServices == sighting.overflowServices
    }
}
