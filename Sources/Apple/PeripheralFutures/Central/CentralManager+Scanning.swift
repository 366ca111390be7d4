public import CoreBluetooth

extension CentralManager {
    /// Looks for all peripherals; see `startScanning(forServiceUUIDs:)`.
    public func startScanning(
        capacity: Int = Int.max,
        timeout: TimeInterval = TimeInterval.infinity,
        options: [String: Any]? = nil
    ) -> FutureStream<Peripheral> {
        startScanning(forServiceUUIDs: nil, capacity: capacity, timeout: timeout, options: options)
    }

    /// Looks for peripherals that advertise one of the services, or for all, until `stopScanning`. Whenever one is heard
    /// of, it is an event, the same object each time.
    ///
    /// While a scan runs its stream is returned. The stream fails with `isPoweredOff` when Bluetooth cannot be used.
    ///
    /// - Parameters:
    ///   - timeout: after how many seconds the scan ends; the stream fails with `serviceScanTimeout` if it has found
    ///     nothing.
    ///   - options: CoreBluetooth's, such as whether each advertisement counts.
    public func startScanning(
        forServiceUUIDs uuids: [CBUUID]?,
        capacity: Int = Int.max,
        timeout: TimeInterval = TimeInterval.infinity,
        options: [String: Any]? = nil
    ) -> FutureStream<Peripheral> {
        scan(for: uuids, capacity, timeout, options).stream
    }

    /// Whether the scan is a new one is said, too.
    func scan(
        for uuids: [CBUUID]?,
        _ capacity: Int,
        _ timeout: TimeInterval,
        _ options: [String: Any]?
    ) -> (stream: FutureStream<Peripheral>, isNew: Bool) {
        let isPoweredOn = poweredOn
        let (stream, begun): (FutureStream<Peripheral>, number: Int?) = details.withLock { state in
            if let running = state.scan { return (running.promise.stream, nil) }
            guard isPoweredOn else { return (FutureStream(error: CentralManagerError.isPoweredOff), nil) }
            state.scanCount += 1
            let scan = Scan(number: state.scanCount, promise: StreamPromise(capacity: capacity))
            state.scan = scan
            return (scan.promise.stream, scan.number)
        }
        if let begun {
            manager?.scanForPeripherals(withServices: uuids, options: options)
            later(timeout) { [weak self] in self?.scanTimedOut(begun) }
        }
        return (stream, begun != nil)
    }

    /// Stops scanning. The stream gets no more events.
    public func stopScanning() {
        details.withLock { $0.scan = nil }
        if isScanning { manager?.stopScan() }
    }

    private func scanTimedOut(_ number: Int) {
        guard let scan = details.withLock(\.scan), scan.number == number else { return }
        stopScanning()
        if !scan.hasFound { scan.promise.failure(CentralManagerError.serviceScanTimeout) }
    }

    /// CoreBluetooth has heard of a peripheral.
    func discovered(_ peripheral: CBPeripheral, _ advertisementData: [String: Any], strength: Int) {
        let known = details.withLock { state in state.peripherals.first { $0.identifier == peripheral.identifier } }
        if let known {
            if known.cbPeripheral !== peripheral {
                details.withLock(\.scan)?.promise.failure(CentralManagerError.invalidPeripheral)
                // Reported once, if the known object is no longer valid.
                guard known.isForgotten else { return }
                adopt(peripheral, for: known)
            }
            known.heard(strength: strength, advertisementData)
            tellScan(of: known)
        } else {
            tellScan(
                of: register(
                    Peripheral(peripheral, of: self, advertisements: advertisementData, strength: strength)
                )
            )
        }
    }

    private func tellScan(of peripheral: Peripheral) {
        let promise = details.withLock { state in
            state.scan?.hasFound = true
            return state.scan?.promise
        }
        promise?.success(peripheral)
    }
}
