import CoreBluetooth

/// An app that publishes services, and keeps what it hears.
final class PublishingApp: NSObject, CBPeripheralManagerDelegate {
    private(set) var manager: CBPeripheralManager!
    /// What is published as soon as Bluetooth is on.
    var services: [CBMutableService]
    var advertisement: [String: Any]?

    private(set) var heard: [String] = []
    private(set) var errors: [(any Error)?] = []
    private(set) var reads: [CBATTRequest] = []
    private(set) var writes: [[CBATTRequest]] = []
    private(set) var centrals: [CBCentral] = []
    /// What a read is answered with.
    var value = Data()
    /// What a write is answered with; nil leaves it unanswered.
    var verdict: CBATTError.Code? = .success
    /// Called when there is room for updates again.
    var ready: (() -> Void)?

    init(_ services: [CBMutableService], advertising advertisement: [String: Any]? = nil) {
        self.services = services
        self.advertisement = advertisement
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        heard.append("state \(peripheral.state.rawValue)")
        guard peripheral.state == .poweredOn else { return }
        for service in services { peripheral.add(service) }
        services = []
        if let advertisement, !peripheral.isAdvertising { peripheral.startAdvertising(advertisement) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        heard.append("added \(service.uuid.uuidString)")
        errors.append(error)
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        heard.append("advertising")
        errors.append(error)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        heard.append("subscribed \(characteristic.uuid.uuidString)")
        centrals.append(central)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        heard.append("unsubscribed \(characteristic.uuid.uuidString)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        reads.append(request)
        guard request.offset <= value.count else { return peripheral.respond(to: request, withResult: .invalidOffset) }
        request.value = value.subdata(in: request.offset..<value.count)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        writes.append(requests)
        if let verdict { peripheral.respond(to: requests[0], withResult: verdict) }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        heard.append("ready")
        ready?()
    }
}

extension CBMutableService {
    /// A primary service with these characteristics.
    convenience init(_ uuid: String, _ characteristics: [CBMutableCharacteristic] = []) {
        self.init(type: CBUUID(string: uuid), primary: true)
        self.characteristics = characteristics
    }
}

extension CBMutableCharacteristic {
    convenience init(
        _ uuid: String,
        _ properties: CBCharacteristicProperties,
        _ permissions: CBAttributePermissions,
        value: Data? = nil
    ) {
        self.init(type: CBUUID(string: uuid), properties: properties, value: value, permissions: permissions)
    }
}
