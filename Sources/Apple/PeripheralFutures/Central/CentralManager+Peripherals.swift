public import CoreBluetooth

/// The peripherals that the manager knows.
extension CentralManager {
    public var discoveredPeripherals: [UUID: Peripheral] {
        Dictionary(peripherals.map { ($0.identifier, $0) }) { $1 }
    }

    /// In the order in which they were discovered.
    public var peripherals: [Peripheral] { details.withLock(\.peripherals) }

    /// Those of all peripherals.
    public var services: [Service] { peripherals.flatMap(\.services) }

    public func disconnectAllPeripherals() {
        for peripheral in peripherals { peripheral.disconnect() }
    }

    /// Forgets all peripherals, and who listens to the scan. The scan goes on until it is stopped.
    public func removeAllPeripherals() {
        details.withLock { state in
            state.peripherals = []
            state.scan = nil
        }
    }

    public func removePeripheral(withIdentifier identifier: UUID) {
        details.withLock { $0.peripherals.removeAll { $0.identifier == identifier } }
    }

    /// Peripherals with one of the services that are connected to this device, by whichever app. The manager knows them
    /// from now on.
    public func retrieveConnectedPeripherals(withServices services: [CBUUID]) -> [Peripheral] {
        (manager?.retrieveConnectedPeripherals(withServices: services) ?? []).map { retrieved($0) }
    }

    /// Those of the peripherals that the system knows. The manager knows them from now on.
    public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [Peripheral] {
        (manager?.retrievePeripherals(withIdentifiers: identifiers) ?? []).map { retrieved($0) }
    }

    /// Those that the manager knows, as far as the system still does.
    public func retrievePeripherals() -> [Peripheral] {
        retrievePeripherals(withIdentifiers: peripherals.map(\.identifier))
    }

    /// The object that there is for a peripheral, or a new one.
    private func retrieved(_ peripheral: CBPeripheral) -> Peripheral {
        if let known = object(for: peripheral) { return register(known) }
        let old = peripherals.first { $0.identifier == peripheral.identifier }
        if let old, old.isForgotten {
            adopt(peripheral, for: old)
            return old
        }
        let advertisements = old?.advertisements.advertisements ?? [:]
        return register(Peripheral(peripheral, of: self, advertisements: advertisements, strength: old?.RSSI ?? 0))
    }

    // MARK: Within the library

    /// Asks the system again for a peripheral that it has forgotten. False if it does not know it.
    func renew(_ peripheral: Peripheral) -> Bool {
        guard let new = manager?.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first else {
            return false
        }
        peripheral.adopt(new)
        register(peripheral)
        return true
    }

    /// The system knows a peripheral again that it had forgotten.
    func adopt(_ new: CBPeripheral, for peripheral: Peripheral) {
        peripheral.adopt(new)
        peripheral.connectIfWanted()
    }

    /// The object for one of CoreBluetooth's peripherals, whether the manager lists it or not.
    func object(for peripheral: CBPeripheral) -> Peripheral? {
        details.withLock { $0.objects.first { $0.object?.cbPeripheral === peripheral }?.object }
    }

    /// Lists a peripheral in the place of another one with its identifier, if there is one.
    @discardableResult
    func register(_ peripheral: Peripheral) -> Peripheral {
        let replaced: Peripheral? = details.withLock { state in
            state.objects.removeAll { $0.object == nil || $0.object === peripheral }
            state.objects.append(WeakPeripheral(object: peripheral))
            let index = state.peripherals.firstIndex { $0.identifier == peripheral.identifier }
            guard let index else {
                state.peripherals.append(peripheral)
                return nil
            }
            defer { state.peripherals[index] = peripheral }
            return state.peripherals[index]
        }
        // Not under the lock, since it may go now.
        withExtendedLifetime(replaced) {}
        return peripheral
    }

    /// Keeps a peripheral until it has heard that its connection has ended.
    func keep(_ peripheral: Peripheral) {
        details.withLock { state in
            if !state.leaving.contains(where: { $0 === peripheral }) { state.leaving.append(peripheral) }
        }
    }

    func keepNoLonger(_ peripheral: Peripheral) {
        details.withLock { $0.leaving.removeAll { $0 === peripheral } }
    }
}
