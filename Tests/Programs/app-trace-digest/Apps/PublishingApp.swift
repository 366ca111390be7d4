import CoreBluetooth

/// An app that publishes a service, advertises it, answers, and sends values to its subscribers.
final class PublishingApp: NSObject, CBPeripheralManagerDelegate {
    static let service = "A3D5"
    static let value = "A3D6"
    static let secret = "A3D7"

    private(set) var manager: CBPeripheralManager!
    private(set) var isAdvertising = false
    private(set) var subscribers = 0
    private(set) var requests = 0
    private(set) var restorations = 0
    private var characteristic: CBMutableCharacteristic?
    private let name: String
    /// Values that are still to be sent.
    private var left = 0

    init(named name: String, restoredAs identifier: String? = nil) {
        self.name = name
        super.init()
        let options = identifier.map { [CBPeripheralManagerOptionRestoreIdentifierKey: $0] }
        manager = CBPeripheralManager(delegate: self, queue: nil, options: options)
    }

    func send(_ count: Int) {
        left += count
        push()
    }

    private func push() {
        while left > 0, let characteristic,
            manager.updateValue(
                Data((0..<30).map { UInt8(truncatingIfNeeded: $0 + left) }),
                for: characteristic,
                onSubscribedCentrals: nil
            )
        { left -= 1 }
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn, characteristic == nil else { return }
        let value = CBMutableCharacteristic(
            type: CBUUID(string: Self.value),
            properties: [.read, .write, .notify],
            value: nil,
            permissions: [.readable, .writeable]
        )
        let secret = CBMutableCharacteristic(
            type: CBUUID(string: Self.secret),
            properties: [.read],
            value: nil,
            permissions: [.readEncryptionRequired]
        )
        let service = CBMutableService(type: CBUUID(string: Self.service), primary: true)
        service.characteristics = [value, secret]
        characteristic = value
        peripheral.add(service)
        peripheral.startAdvertising([
            CBAdvertisementDataLocalNameKey: name,
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: Self.service)],
        ])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        restorations += 1
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService]
        characteristic = services?.first?.characteristics?.first as? CBMutableCharacteristic
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        isAdvertising = error == nil
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        subscribers += 1
        push()
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { push() }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        requests += 1
        request.value = Data([1, 2, 3, UInt8(truncatingIfNeeded: requests)])
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        self.requests += 1
        peripheral.respond(to: requests[0], withResult: .success)
    }
}
