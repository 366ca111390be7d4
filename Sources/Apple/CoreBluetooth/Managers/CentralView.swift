internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

/// What a central manager knows.
struct CentralView: Sendable {
    var isScanning = false
    /// The objects that the app may still have.
    var peripherals: [PeerID: WeakPeripheral] = [:]
    /// What the phone knows.
    var known: [PeerID: PeerSummary] = [:]

    var livePeripherals: [CBPeripheral] {
        peripherals.values.compactMap(\.object).sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }

    /// Those that are connected to the phone and have one of the services, in the order of their identifiers.
    func connected(withAnyOf services: Set<BluetoothUUID>) -> [PeerSummary] {
        known.values
            .filter { summary in summary.connectedServices.map { !services.isDisjoint(with: $0) } ?? false }
            .sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
    }
}

/// A peripheral as long as the app keeps it.
struct WeakPeripheral: @unchecked Sendable {
    weak var object: CBPeripheral?
}
