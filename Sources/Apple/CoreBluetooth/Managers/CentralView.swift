internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

/// What a central manager knows.
struct CentralView: Sendable {
    var isScanning = false
    /// The objects that the app may still have.
    var peripherals: [PeerID: WeakPeripheral] = [:]
    /// What the phone knows.
    var known: [PeerID: PeerSummary] = [:]
    /// What the app was shown last of some.
    private var shown: [PeerID: ShownAdvertisement] = [:]

    var livePeripherals: [CBPeripheral] {
        peripherals.values.compactMap(\.object).sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }

    /// What the app is shown of an advertisement.
    mutating func dictionary(of sighting: Sighting) -> [String: Any] {
        if let last = shown[sighting.peer], last.shows(sighting) { return last.dictionary }
        let new = ShownAdvertisement(sighting)
        if shown.count >= Self.mostShown { shown.removeAll(keepingCapacity: true) }
        shown[sighting.peer] = new
        return new.dictionary
    }

    private static let mostShown = 256

    /// Those that are connected to the phone and have one of the services, in the order of their identifiers.
    func connected(withAnyOf services: Set<BluetoothUUID>) -> [PeerSummary] {
        known.values
            .filter { summary in summary.connectedServices.map { !services.isDisjoint(with: $0) } ?? false }
            .sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }
}

/// What an app was shown of a peer, so that the same is not made again: few peers change what they advertise.
struct ShownAdvertisement: @unchecked Sendable {
    private let advertisement: AdvertisingData
    private let overflowServices: [BluetoothUUID]
    private let isConnectable: Bool
    /// Nothing in it can be changed.
    let dictionary: [String: Any]

    init(_ sighting: Sighting) {
        advertisement = sighting.advertisement
        overflowServices = sighting.overflowServices
        isConnectable = sighting.isConnectable
        dictionary = sighting.dictionary
    }

    func shows(_ sighting: Sighting) -> Bool {
        isConnectable == sighting.isConnectable && advertisement == sighting.advertisement
            && overflowServices == sighting.overflowServices
    }
}

/// A peripheral as long as the app keeps it.
struct WeakPeripheral: @unchecked Sendable {
    weak var object: CBPeripheral?
}
