/// Hears what becomes of a central manager's orders. All but the first method can be left out.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
    /// Whether Bluetooth can be used has changed, or is known now.
    func centralManagerDidUpdateState(_ central: CBCentralManager)

    /// Comes first if the app was terminated and is restored.
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])

    /// A peripheral was heard.
    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    )

    /// A peripheral is connected.
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)

    /// A connection could not be made.
    func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    )

    /// A connection has ended; the error is nil if the app wanted it. A delegate that has this method does not get the
    /// newer one.
    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    )

    /// A connection has ended at a time in seconds since 2001, and may be made again by the system.
    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    )

    /// A peripheral that the app watches was connected or disconnected by any app of the system.
    func centralManager(
        _ central: CBCentralManager,
        connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    )

    /// Whether a peripheral gets iOS notifications has changed.
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

extension CBCentralManagerDelegate {
    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        central.optionalCall.isLeftOut()
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        central.optionalCall.isLeftOut()
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        central.optionalCall.isLeftOut()
    }

    public func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        central.optionalCall.isLeftOut()
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        central.optionalCall.isLeftOut()
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        central.optionalCall.isLeftOut()
    }

    public func centralManager(
        _ central: CBCentralManager,
        connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) {
        central.optionalCall.isLeftOut()
    }

    public func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        central.optionalCall.isLeftOut()
    }
}
