import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth

typealias Accelerometer = TiSensorTag.AccelerometerService

// An app adds a service with two characteristics and advertises it; an app on another phone hears of it.
try withAir { air in
    let manager = PeripheralManager()
    let service = MutableService(profile: ConfiguredServiceProfile<Accelerometer>())
    service.characteristics = [
        MutableCharacteristic(profile: RawArrayCharacteristicProfile<Accelerometer.Data>()),
        MutableCharacteristic(profile: RawCharacteristicProfile<Accelerometer.Enabled>()),
    ]
    let started = manager.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in manager.add(service) }
        .andThen { print("added: \(service.name), with \(service.characteristics.map(\.name))") }
        .flatMap { manager.startAdvertising("Tag", uuids: [service.uuid]) }
    started.onSuccess { print("advertising") }
    // A state that does not pass the filter is a FuturesError.
    started.onFailure { error in if !(error is FuturesError) { print("failed: \(error)") } }
    try air.run(until: manager.isAdvertising)

    let visitor = air.addPhone(named: "visitor").addApp().run { CentralManager() }
    let found = visitor.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in visitor.startScanning(forServiceUUIDs: [service.uuid]) }
    found.onSuccess { tag in
        visitor.stopScanning()
        print("the visitor hears of \(tag.name), with \(tag.advertisements.serviceUUIDs ?? [])")
    }
    air.run(for: .seconds(1))

    let stopped = manager.stopAdvertising()
    stopped.onSuccess { print("advertising no more") }
    try air.run(until: stopped.completed)
}
