// In the manner of a sample that publishes a heart rate and takes L2CAP channels.
import CoreBluetooth

final class HeartRatePublisher: NSObject, CBPeripheralManagerDelegate, StreamDelegate {
    let manager: CBPeripheralManager
    private let measurement = CBMutableCharacteristic(
        type: CBUUID(string: "2A37"),
        properties: [.notify, .notifyEncryptionRequired],
        value: nil,
        permissions: [.readable]
    )
    private let location = CBMutableCharacteristic(
        type: CBUUID(string: "2A38"),
        properties: .read,
        value: Data([1]),
        permissions: .readable
    )
    private let control = CBMutableCharacteristic(
        type: CBUUID(string: "2A39"),
        properties: [.write, .writeWithoutResponse],
        value: nil,
        permissions: [.writeable, .writeEncryptionRequired]
    )
    private(set) var queue: [Data] = []
    private var channel: CBL2CAPChannel?

    init(environment: BluetoothEnvironment) {
        manager = CBPeripheralManager(delegate: nil, queue: nil, options: nil, environment: environment)
        super.init()
        manager.delegate = self
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
        measurement.descriptors = [
            CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "beats")
        ]
        service.characteristics = [measurement, location, control]
        peripheral.add(service)
        peripheral.publishL2CAPChannel(withEncryption: false)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        guard error == nil else { return }
        peripheral.startAdvertising([
            CBAdvertisementDataLocalNameKey: "Heart",
            CBAdvertisementDataServiceUUIDsKey: [service.uuid],
            CBAdvertisementDataManufacturerDataKey: Data([1, 2, 3]),
        ])
    }

    func send(_ value: Data) {
        queue.append(value)
        drain()
    }

    private func drain() {
        while let value = queue.first {
            guard manager.updateValue(value, for: measurement, onSubscribedCentrals: nil) else { return }
            queue.removeFirst()
        }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { drain() }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        guard request.characteristic.uuid == measurement.uuid else {
            return peripheral.respond(to: request, withResult: CBATTError.Code(rawValue: 0x80)!)
        }
        let value = Data([60, 61, 62])
        guard request.offset <= value.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = value.subdata(in: request.offset..<value.count)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        peripheral.respond(to: requests[0], withResult: requests.count > 1 ? .requestNotSupported : .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return }
        self.channel = channel
        channel.inputStream.delegate = self
        channel.inputStream.schedule(in: .main, forMode: .default)
        channel.inputStream.open()
        channel.outputStream.open()
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = (stream as! InputStream).read(&buffer, maxLength: buffer.count)
            _ = channel?.outputStream?.write(buffer, maxLength: max(0, count))
        case .endEncountered, .errorOccurred: channel = nil
        default: break
        }
    }
}
