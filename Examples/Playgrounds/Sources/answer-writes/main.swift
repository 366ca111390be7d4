import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth

typealias Accelerometer = TiSensorTag.AccelerometerService

// An app takes writes of one byte that means something, and refuses all others; in the end it takes none.
try withAir { air in
    let manager = PeripheralManager()
    let service = MutableService(uuid: Accelerometer.uuid)
    let enabled = MutableCharacteristic(profile: RawCharacteristicProfile<Accelerometer.Enabled>())
    service.characteristics = [enabled]
    manager.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in manager.add(service) }
        .flatMap { manager.startAdvertising("Tag", uuids: [service.uuid]) }
        .flatMap { enabled.startRespondingToWriteRequests(capacity: 2) }
        .onSuccess { request, _ in
            let bytes = request.value ?? Data()
            guard bytes.count == 1 else {
                print("\(bytes.hexStringValue()) is not one byte")
                return enabled.respondToRequest(request, withResult: .invalidAttributeValueLength)
            }
            guard let choice: Accelerometer.Enabled = SerDe.deserialize(bytes) else {
                print("\(bytes.hexStringValue()) means nothing")
                return enabled.respondToRequest(request, withResult: .requestNotSupported)
            }
            print("\(bytes.hexStringValue()) is \(choice)")
            enabled.respondToRequest(request, withResult: .success)
        }
    try air.run(until: manager.isAdvertising)

    let visitor = air.addPhone(named: "visitor").addApp().run { CentralManager() }
    let ready = visitor.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in visitor.startScanning(forServiceUUIDs: [service.uuid]) }
        .flatMap { tag -> FutureStream<Void> in
            visitor.stopScanning()
            return tag.connect()
        }
        .flatMap { visitor.peripherals[0].discoverServices([service.uuid]) }
        .flatMap { visitor.services[0].discoverAllCharacteristics() }
    func write(_ bytes: Data) {
        let written = visitor.services[0].characteristics[0].write(data: bytes)
        written.onSuccess { print("  the visitor: written") }
        written.onFailure { error in print("  the visitor: \(error.localizedDescription)") }
    }
    ready.onSuccess { for bytes in [[1], [1, 2], [7]] as [[UInt8]] { write(Data(bytes)) } }
    air.run(for: .seconds(2))
    print("the value is \(enabled.value?.hexStringValue() ?? "unknown")")

    enabled.stopRespondingToWriteRequests()
    print("it takes no writes any more")
    write(Data([0]))
    air.run(for: .seconds(1))
}
