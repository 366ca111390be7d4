public import CoreBluetooth

/// A delegate of a central manager whose methods are closures.
open class CBMCentralManagerDelegateProxy: NSObject, CBMCentralManagerDelegate {
    public var didUpdateState: ((CBMCentralManager) -> Void)?
    public var willRestoreState: ((CBMCentralManager, [String: Any]) -> Void)?
    public var didDiscoverPeripheral: ((CBMCentralManager, any CBMPeripheral, [String: Any], NSNumber) -> Void)?
    public var didConnect: ((CBMCentralManager, any CBMPeripheral) -> Void)?
    public var didFailToConnect: ((CBMCentralManager, any CBMPeripheral, (any Error)?) -> Void)?
    public var didDisconnect: ((CBMCentralManager, any CBMPeripheral, CFAbsoluteTime, Bool, (any Error)?) -> Void)?
    public var connectionEventDidOccur: ((CBMCentralManager, CBMConnectionEvent, any CBMPeripheral) -> Void)?
    public var didUpdateANCSAuthorization: ((CBMCentralManager, any CBMPeripheral) -> Void)?

    open func centralManagerDidUpdateState(_ central: CBMCentralManager) {
        didUpdateState?(central)
    }

    open func centralManager(
        _ central: CBMCentralManager,
        willRestoreState dict: [String: Any]
    ) {
        willRestoreState?(central, dict)
    }

    open func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: any CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        didDiscoverPeripheral?(central, peripheral, advertisementData, RSSI)
    }

    open func centralManager(
        _ central: CBMCentralManager,
        didConnect peripheral: any CBMPeripheral
    ) {
        didConnect?(central, peripheral)
    }

    open func centralManager(
        _ central: CBMCentralManager,
        didFailToConnect peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {
        didFailToConnect?(central, peripheral, error)
    }

    open func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        didDisconnect?(central, peripheral, timestamp, isReconnecting, error)
    }

    open func centralManager(
        _ central: CBMCentralManager,
        connectionEventDidOccur event: CBMConnectionEvent,
        for peripheral: any CBMPeripheral
    ) {
        connectionEventDidOccur?(central, event, peripheral)
    }

    open func centralManager(
        _ central: CBMCentralManager,
        didUpdateANCSAuthorizationFor peripheral: any CBMPeripheral
    ) {
        didUpdateANCSAuthorization?(central, peripheral)
    }
}
