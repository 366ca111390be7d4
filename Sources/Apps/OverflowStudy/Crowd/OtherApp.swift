import CoreBluetooth

/// Another app on the phone, which has services of its own and knows nothing of payloads.
final class OtherApp: NSObject, CBPeripheralManagerDelegate {
    private let services: [CBUUID]
    private var manager: CBPeripheralManager?

    init(_ services: [CBUUID]) {
        self.services = services
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn, !peripheral.isAdvertising else { return }
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: services])
    }
}
