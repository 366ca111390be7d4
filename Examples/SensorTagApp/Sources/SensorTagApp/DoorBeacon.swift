public import BluethroatPeripheralFutures
public import CoreBluetooth

/// Being an iBeacon.
public final class DoorBeacon {
    public let manager: PeripheralManager
    public let region: BeaconRegion
    /// Completed when it is on the air.
    public private(set) var started = Future<Void>()

    public init(uuid: UUID, major: UInt16, minor: UInt16) {
        let manager = PeripheralManager()
        let region = BeaconRegion(proximityUUID: uuid, identifier: "door", major: major, minor: minor)
        self.manager = manager
        self.region = region
        started =
            manager.whenStateChanges()
            .withFilter { $0 == .poweredOn }
            .flatMap { _ in manager.startAdvertising(region) }
            .first
    }

    /// Completed when it is on the air no longer.
    public func stop() -> Future<Void> { manager.stopAdvertising() }
}
