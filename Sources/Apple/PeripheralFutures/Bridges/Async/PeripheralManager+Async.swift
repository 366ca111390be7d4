public import CoreBluetooth

extension AsyncTwins where Base == PeripheralManager {
    /// Each state from the present one on; there is one such stream at a time, that of the latest call.
    public func whenStateChanges() -> AsyncSubscription<ManagerState> {
        let stream = base.whenStateChanges()
        return AsyncSubscription(stream) { [base] in base.details.withLock { $0.changes.forget(stream) } }
    }

    /// Publishes a service with the characteristics that it has now.
    ///
    /// - Throws: what the future of `add` fails with, such as `PeripheralManagerNotPoweredOn`; `CancellationError`.
    public func add(_ service: MutableService) async throws { try await answer { base.add(service) } }

    /// Advertises a name, and services; returns when that has begun.
    ///
    /// - Throws: what the future fails with, such as `PeripheralManagerError.isAdvertising`; `CancellationError`.
    public func startAdvertising(_ name: String, uuids: [CBUUID]? = nil) async throws {
        try await answer { base.startAdvertising(name, uuids: uuids) }
    }

    /// Is an iBeacon, with the device's own power; returns when that has begun.
    ///
    /// - Throws: as above.
    public func startAdvertising(_ region: BeaconRegion) async throws {
        try await answer { base.startAdvertising(region) }
    }

    /// Is an iBeacon that claims to be heard with this strength, in dBm, a metre away; returns when that has begun.
    ///
    /// - Throws: as above.
    public func startAdvertising(_ region: BeaconRegion, measuredPower: Int) async throws {
        try await answer { base.startAdvertising(region, measuredPower: measuredPower) }
    }

    /// Advertises no longer; returns when that is so.
    ///
    /// - Parameter timeout: in seconds.
    /// - Throws: `PeripheralManagerError.stopAdvertisingTimeout`; `CancellationError`.
    public func stopAdvertising(timeout: TimeInterval = 10.0) async throws {
        try await answer { base.stopAdvertising(timeout: timeout) }
    }

    /// Waits for what the system has kept while the app did not run, and returns what was advertised.
    ///
    /// - Throws: `PeripheralManagerError.restoreFailed`; `CancellationError`.
    public func whenStateRestored() async throws -> PeripheralAdvertisements {
        try await answer { base.whenStateRestored() }
    }
}

extension AsyncTwins where Base == MutableCharacteristic {
    /// Takes writes until the loop is left; each has to be answered with `respondToRequest`. Writes are refused with
    /// "request not supported" before and after.
    ///
    /// Its error is `MutableCharacteristicError.unconfigured`, if the service has not been added to a manager.
    ///
    /// - Parameter capacity: how many requests wait while the loop is busy; then the oldest give way.
    public func startRespondingToWriteRequests(
        capacity: Int = 100
    ) -> AsyncSubscription<MutableCharacteristic.WriteRequest> {
        base.loops.loop(base.takeWrites(capacity)) { [base] in
            base.state.withLock(\.requests)?.stream
        } stop: { [base] in
            base.stopRespondingToWriteRequests()
        }
    }
}
