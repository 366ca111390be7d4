public import CoreBluetooth

/// Hears what becomes of a central manager's orders. All but the first method can be left out.
public protocol CBMCentralManagerDelegate: AnyObject {
    /// Whether Bluetooth can be used has changed, or is known now.
    func centralManagerDidUpdateState(_ central: CBMCentralManager)

    /// Comes first if there is a state to restore.
    func centralManager(_ central: CBMCentralManager, willRestoreState dict: [String: Any])

    /// A peripheral was heard.
    func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: any CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    )

    /// A peripheral is connected.
    func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral)

    /// A connection could not be made.
    func centralManager(
        _ central: CBMCentralManager,
        didFailToConnect peripheral: any CBMPeripheral,
        error: (any Error)?
    )

    /// A connection has ended; the error is nil if the app wanted it. For delegates that do not have the next method.
    func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        error: (any Error)?
    )

    /// A connection has ended at a time in seconds since 2001, and may be made again by the system. A delegate that has this
    /// method does not get the older one.
    func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    )

    /// A peripheral that the app watches was connected or disconnected by any app of the phone.
    func centralManager(
        _ central: CBMCentralManager,
        connectionEventDidOccur event: CBMConnectionEvent,
        for peripheral: any CBMPeripheral
    )

    /// Whether a peripheral gets iOS notifications has changed.
    func centralManager(_ central: CBMCentralManager, didUpdateANCSAuthorizationFor peripheral: any CBMPeripheral)
}

extension CBMCentralManagerDelegate {
    public func centralManager(_ central: CBMCentralManager, willRestoreState dict: [String: Any]) {}

    public func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: any CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}

    public func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {}

    public func centralManager(
        _ central: CBMCentralManager,
        didFailToConnect peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {}

    public func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {}

    public func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        centralManager(central, didDisconnectPeripheral: peripheral, error: error)
    }

    public func centralManager(
        _ central: CBMCentralManager,
        connectionEventDidOccur event: CBMConnectionEvent,
        for peripheral: any CBMPeripheral
    ) {}

    public func centralManager(
        _ central: CBMCentralManager,
        didUpdateANCSAuthorizationFor peripheral: any CBMPeripheral
    ) {}
}
