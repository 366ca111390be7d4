import CoreBluetooth

/// Stands between CoreBluetooth's central manager and the one that an app has.
class CentralBridge: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    /// The app's manager, which holds this.
    private weak var manager: CBMCentralManager?
    private let centralReference = Locked<CBCentralManager?>(nil)
    private struct Objects {
        /// By CoreBluetooth's, which they hold. It makes another one of a peripheral where an old one is not valid any more.
        var byID: [ObjectIdentifier: any CBMPeripheral] = [:]
        /// In the order in which the app was given them.
        var all: [any CBMPeripheral] = []
    }

    private let objects = Locked(Objects())

    init(_ manager: CBMCentralManager) { self.manager = manager }

    /// CoreBluetooth's manager: from when it is made, or has its first event, which may come earlier.
    final var central: CBCentralManager? { centralReference.current }

    final func begin(_ central: CBCentralManager) { centralReference.set(central) }

    /// The app's object for a peripheral. They are kept as long as the manager is there.
    final func object(for peripheral: CBPeripheral) -> any CBMPeripheral {
        let id = ObjectIdentifier(peripheral)
        if let known = objects.withLock({ $0.byID[id] }) { return known }
        let new = makeObject(for: peripheral)
        return objects.withLock { objects in
            // Another thread may have made one meanwhile.
            if let known = objects.byID[id] { return known }
            objects.byID[id] = new
            objects.all.append(new)
            return new
        }
    }

    /// All objects that the app was given, in that order.
    final var allObjects: [any CBMPeripheral] { objects.withLock(\.all) }

    /// Makes the app's object.
    func makeObject(for peripheral: CBPeripheral) -> any CBMPeripheral {
        let bridge = PeripheralBridge(peripheral, device: nil) { $0 }
        return CBMPeripheralNative(bridge, of: manager as? CBMCentralManagerNative)
    }

    final func tell(_ body: (any CBMCentralManagerDelegate, CBMCentralManager) -> Void) {
        guard let manager, let delegate = manager.delegate else { return }
        body(delegate, manager)
    }

    /// The newer method, which calls the older one of a delegate that has not got it.
    final func tellOfDisconnection(
        _ peripheral: any CBMPeripheral,
        _ time: CFAbsoluteTime,
        isReconnecting: Bool,
        _ error: (any Error)?
    ) {
        tell { delegate, manager in
            delegate.centralManager(
                manager,
                didDisconnectPeripheral: peripheral,
                timestamp: time,
                isReconnecting: isReconnecting,
                error: error
            )
        }
    }

    // MARK: CBCentralManagerDelegate

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        begin(central)
        tell { $0.centralManagerDidUpdateState($1) }
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        var state = dict
        if let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] {
            state[CBCentralManagerRestoredStatePeripheralsKey] = peripherals.map(object)
        }
        tell { $0.centralManager($1, willRestoreState: state) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let object = object(for: peripheral)
        tell { $0.centralManager($1, didDiscover: object, advertisementData: advertisementData, rssi: RSSI) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        let object = object(for: peripheral)
        tell { $0.centralManager($1, didConnect: object) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        let object = object(for: peripheral)
        tell { $0.centralManager($1, didFailToConnect: object, error: error) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        tellOfDisconnection(object(for: peripheral), timestamp, isReconnecting: isReconnecting, error)
    }

    func centralManager(
        _ central: CBCentralManager,
        connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) {
        let object = object(for: peripheral)
        tell { $0.centralManager($1, connectionEventDidOccur: event, for: object) }
    }

    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        let object = object(for: peripheral)
        tell { $0.centralManager($1, didUpdateANCSAuthorizationFor: object) }
    }
}
