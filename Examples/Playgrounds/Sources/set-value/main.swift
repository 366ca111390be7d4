import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth

typealias Accelerometer = TiSensorTag.AccelerometerService

// An app sets a value, which nobody is told; a central reads it.
try withAir { air in
    let manager = PeripheralManager()
    let service = MutableService(uuid: Accelerometer.uuid)
    let data = MutableCharacteristic(profile: RawArrayCharacteristicProfile<Accelerometer.Data>())
    service.characteristics = [data]
    manager.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in manager.add(service) }
        .flatMap { manager.startAdvertising("Tag", uuids: [service.uuid]) }
        .onSuccess {
            print("the value at first: \(data.value?.hexStringValue() ?? "none")")
            data.value = SerDe.serialize(Accelerometer.Data(x: 0.5, y: 0.25, z: -1)!)
            print("the app sets it: \(data.value?.hexStringValue() ?? "none")")
        }
    try air.run(until: manager.isAdvertising)

    let visitor = air.addPhone(named: "visitor").addApp().run { CentralManager() }
    let reading = visitor.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in visitor.startScanning(forServiceUUIDs: [service.uuid]) }
        .flatMap { found -> FutureStream<Void> in
            visitor.stopScanning()
            return found.connect()
        }
        .flatMap { visitor.peripherals[0].discoverServices([service.uuid]) }
        .flatMap { visitor.services[0].discoverAllCharacteristics() }
        .flatMap { visitor.services[0].characteristics[0].read() }
    reading.onSuccess {
        guard let value: Accelerometer.Data = visitor.services[0].characteristics[0].value() else { return }
        print("the visitor reads: x \(value.x) g, y \(value.y) g, z \(value.z) g")
    }
    air.run(for: .seconds(2))
}
