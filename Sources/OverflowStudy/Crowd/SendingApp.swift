import AppTime
import CoreBluetooth
import OverflowArea

/// The app on a phone that sends: it advertises its payload, now in one position and now in the other.
final class SendingApp: NSObject, CBPeripheralManagerDelegate {
    private let frame: BeaconFrame
    private let rotation: Double
    private let clock: AppClock
    private let services: [[CBUUID]]
    private var manager: CBPeripheralManager?
    private var timer: AppTimer?
    private var position = 0

    init(_ frame: BeaconFrame, rotation: Double, clock: AppClock) {
        self.frame = frame
        self.rotation = rotation
        self.clock = clock
        services = (0..<frame.positions.count).map { frame.mask(at: $0).services }
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn, timer == nil else { return }
        advertise()
        timer = clock.each(rotation) { [unowned self] in
            position = (position + 1) % services.count
            manager?.stopAdvertising()
            advertise()
        }
    }

    private func advertise() { manager?.startAdvertising([CBAdvertisementDataServiceUUIDsKey: services[position]]) }
}

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
