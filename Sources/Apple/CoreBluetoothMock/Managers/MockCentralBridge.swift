import CoreBluetooth

/// Between CoreBluetooth's manager and a simulated one: identifiers and errors are those of the specifications.
final class MockCentralBridge: CentralBridge, @unchecked Sendable {
    private weak var manager: CBMCentralManagerMock?

    init(_ manager: CBMCentralManagerMock) {
        self.manager = manager
        super.init(manager)
    }

    override func makeObject(for peripheral: CBPeripheral) -> any CBMPeripheral {
        guard let manager else { return super.makeObject(for: peripheral) }
        let simulation = manager.simulation
        let device = simulation.device(peer: peripheral.identifier)
        let bridge = PeripheralBridge(peripheral, device: device) { simulation.told($0) }
        return CBMPeripheralMock(bridge, of: manager)
    }

    private func mock(_ peripheral: CBPeripheral) -> CBMPeripheralMock? {
        object(for: peripheral) as? CBMPeripheralMock
    }

    override func centralManagerDidUpdateState(_ central: CBCentralManager) {
        begin(central)
        // Without the radio there are no connections.
        if central.state != .poweredOn {
            for case let object as CBMPeripheralMock in allObjects { object.setStage(.settled) }
        }
        manager?.tellState()
    }

    override func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard let manager, let object = mock(peripheral) else { return }
        if let device = object.bridge.device {
            // It is to be connected already, and what it sends is for the app that is to connect.
            let isBusy = manager.simulation.awaitsConnection(device.spec)
            let configs = manager.simulation.state(of: device.spec).advertisement ?? []
            guard !isBusy || configs.contains(where: \.isAdvertisingWhenConnected) else { return }
            manager.simulation.heard(device)
        }
        let strength = NSNumber(value: manager.simulation.told(RSSI.intValue))
        tell { $0.centralManager($1, didDiscover: object, advertisementData: advertisementData, rssi: strength) }
    }

    // MARK: Connections

    // A central hears that it is connected when it has asked; the device may say no only then. The app hears what the
    // device has said.

    override func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        guard let object = mock(peripheral) else { return }
        object.bridge.forgetAttributes()
        guard let device = object.bridge.device else { return announce(object) }
        object.setStage(.undecided)
        let verdict: MockDevice.Verdict = device.status.withLock { status in
            if case .none = status.verdict {
                status.waiting.append { [weak self, weak object] verdict in
                    self?.manager?.call { [weak self, weak object] _ in
                        if let object { self?.decide(verdict, about: object) }
                    }
                }
            }
            return status.verdict
        }
        decide(verdict, about: object)
    }

    private func decide(_ verdict: MockDevice.Verdict, about object: CBMPeripheralMock) {
        guard case .undecided = object.stage, object.bridge.peripheral.state == .connected else { return }
        switch verdict {
        case .none: break
        case .accepted: announce(object)
        case .refused(let error): object.setStage(.refused(error))
        }
    }

    private func announce(_ object: CBMPeripheralMock) {
        object.setStage(.settled)
        if let device = object.bridge.device { object.announcedCount.set(device.status.withLock(\.acceptedCount)) }
        // Of a connection that was restored the app knows.
        guard let waiting = object.takeRestored() else { return tell { $0.centralManager($1, didConnect: object) } }
        for command in waiting { command(object) }
    }

    override func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        guard let object = mock(peripheral) else { return }
        let device = object.bridge.device
        let (refusal, end, acceptedCount) =
            device?.status.withLock { ($0.refusal, $0.end, $0.acceptedCount) } ?? (nil, nil, 0)
        switch object.stage {
        case .refused(let refusal): return fail(object, refusal)
        // The app has cancelled before it heard an answer.
        case .undecided where error == nil && refusal == nil: object.setStage(.settled)
        case .undecided:
            // The device never had the connection, unless the app was too slow to hear the answer while it held.
            guard acceptedCount > object.announcedCount.current else {
                return fail(object, refusal ?? error ?? CBMError(.connectionFailed))
            }
            announce(object)
        case .settled: break
        }
        object.takeRestored()
        let told = error == nil ? nil : end ?? error
        tellOfDisconnection(object, timestamp, isReconnecting: isReconnecting, told)
    }

    private func fail(_ object: CBMPeripheralMock, _ error: any Error) {
        object.setStage(.settled)
        let isKnownAsConnected = object.takeRestored() != nil
        guard !isKnownAsConnected else {
            return tellOfDisconnection(object, CFAbsoluteTimeGetCurrent(), isReconnecting: false, error)
        }
        tell { $0.centralManager($1, didFailToConnect: object, error: error) }
    }
}
