import CoreBluetooth

/// An app that the phone had ended, and begins anew for what it was doing with Bluetooth.
extension CBMCentralManagerMock {
    /// Tells the delegate what the test has for this app. Its peripherals are connected, or are being connected to, and its scan
    /// goes on, as soon as Bluetooth is on.
    func restore(_ dictionary: [String: Any]) {
        var state: [String: Any] = [:]
        if let list = dictionary[CBMCentralManagerRestoredStatePeripheralsKey] as? [Any] {
            state[CBMCentralManagerRestoredStatePeripheralsKey] = list.compactMap(restoredPeripheral)
        }
        let services = dictionary[CBMCentralManagerRestoredStateScanServicesKey] as? [CBMUUID]
        let options = dictionary[CBMCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
        state[CBMCentralManagerRestoredStateScanServicesKey] = services
        state[CBMCentralManagerRestoredStateScanOptionsKey] = options
        if services != nil || options != nil {
            scanWhenOn { $0.scanForPeripherals(withServices: services, options: options) }
        }
        delegate?.centralManager(self, willRestoreState: state)
    }

    /// The app's object for a specification, or for another manager's object. Nil for what is not simulated.
    private func restoredPeripheral(_ wish: Any) -> (any CBMPeripheral)? {
        switch wish {
        case let spec as CBMPeripheralSpec: simulation.device(of: spec).flatMap(restoredPeripheral)
        case let object as CBMPeripheralMock: object.bridge.device.flatMap(restoredPeripheral)
        case let preview as CBMPeripheralPreview: preview
        default: nil
        }
    }

    private func restoredPeripheral(_ device: MockDevice) -> (any CBMPeripheral)? {
        simulation.remember(device.spec)
        guard let object = object(for: device) else { return nil }
        guard simulation.state(of: device.spec).services != nil, let mock = object as? CBMPeripheralMock else {
            return object
        }
        mock.restore(asConnected: simulation.isConnected(device.spec))
        orderWhenOn { [weak mock] manager in
            // The app may have cancelled it meanwhile.
            guard let mock, mock.isRestored else { return }
            manager.connect(mock.bridge.peripheral, options: nil)
        }
        return mock
    }
}
