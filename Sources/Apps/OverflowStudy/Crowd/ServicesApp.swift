import CoreBluetooth

/// An app that advertises the same services all the time: those of a code word, or, of another app, services of its own.
final class ServicesApp: NSObject, CBPeripheralManagerDelegate {
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
