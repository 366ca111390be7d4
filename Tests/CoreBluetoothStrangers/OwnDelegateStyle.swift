// Managers that are their own delegates, made without a word.
import CoreBluetooth

class BeaconServer: CBPeripheralManager, @unchecked Sendable {
    private(set) var heard: [CBManagerState] = []

    static func begin() -> BeaconServer {
        let server = BeaconServer()
        server.delegate = server
        return server
    }
}

extension BeaconServer: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { heard.append(state) }
}

class BeaconFinder: CBCentralManager, CBCentralManagerDelegate, @unchecked Sendable {
    var heard: [CBManagerState] = []

    convenience init(on queue: DispatchQueue) {
        self.init(delegate: nil, queue: queue)
        delegate = self
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { heard.append(central.state) }
}
