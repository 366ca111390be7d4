public import CoreBluetooth

extension AsyncTwins where Base == CentralManager {
    /// Each state from the present one on; there is one such stream at a time, that of the latest call.
    public func whenStateChanges() -> AsyncSubscription<ManagerState> {
        let stream = base.whenStateChanges()
        return AsyncSubscription(stream) { [base] in base.details.withLock { $0.changes.forget(stream) } }
    }

    /// Looks for all peripherals until the loop is left; see `startScanning(forServiceUUIDs:)`.
    public func startScanning(
        capacity: Int = 100,
        timeout: TimeInterval = TimeInterval.infinity,
        options: [String: Any]? = nil
    ) -> AsyncSubscription<Peripheral> {
        startScanning(forServiceUUIDs: nil, capacity: capacity, timeout: timeout, options: options)
    }

    /// Looks for peripherals that advertise one of the services, or for all, until the loop is left. Whenever one is heard
    /// of, it is the next element, the same object each time.
    ///
    /// Its errors are `isPoweredOff`, `serviceScanTimeout` and `invalidPeripheral` of `CentralManagerError`.
    ///
    /// - Parameters:
    ///   - capacity: how many events wait while the loop is busy; then the oldest give way.
    ///   - timeout: after how many seconds the scan ends; an error if it has found nothing.
    ///   - options: CoreBluetooth's, such as whether each advertisement counts.
    public func startScanning(
        forServiceUUIDs uuids: [CBUUID]?,
        capacity: Int = 100,
        timeout: TimeInterval = TimeInterval.infinity,
        options: [String: Any]? = nil
    ) -> AsyncSubscription<Peripheral> {
        base.loops.loop(base.scan(for: uuids, capacity, timeout, options)) { [base] in
            base.details.withLock(\.scan)?.promise.stream
        } stop: { [base] in
            base.stopScanning()
        }
    }

    /// Waits until the peripherals are there again that the system has kept while the app did not run.
    ///
    /// - Throws: `CentralManagerError.restoreFailed`; `CancellationError`.
    public func whenStateRestored() async throws { try await answer { base.whenStateRestored() } }
}
