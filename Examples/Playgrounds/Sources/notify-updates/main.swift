import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth

typealias Accelerometer = TiSensorTag.AccelerometerService

// An app measures three times a second; what it measures before somebody has subscribed waits, and comes in order.
try withAir { air in
    let manager = PeripheralManager()
    let service = MutableService(uuid: Accelerometer.uuid)
    let data = MutableCharacteristic(profile: RawArrayCharacteristicProfile<Accelerometer.Data>())
    service.characteristics = [data]
    manager.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in manager.add(service) }
        .flatMap { manager.startAdvertising("Tag", uuids: [service.uuid]) }
        .onSuccess { measure(1) }

    func measure(_ count: Int) {
        do {
            try data.update(Accelerometer.Data(x: Double(count) / 16, y: 0, z: -1)!)
        } catch {
            print("not sent: \(error)")
        }
        if count < 6 { Queue.main.delay(1.0 / 3) { measure(count + 1) } }
    }
    try air.run(until: data.pendingUpdates.count == 2)
    print("\(data.pendingUpdates.count) updates wait; nobody has subscribed")

    let visitor = air.addPhone(named: "visitor").addApp().run { CentralManager() }
    let updates = visitor.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in visitor.startScanning(forServiceUUIDs: [service.uuid]) }
        .flatMap { tag -> FutureStream<Void> in
            visitor.stopScanning()
            return tag.connect()
        }
        .flatMap { visitor.peripherals[0].discoverServices([service.uuid]) }
        .flatMap { visitor.services[0].discoverAllCharacteristics() }
        .flatMap { () -> FutureStream<Data?> in
            let data = visitor.services[0].characteristics[0]
            let updates = data.receiveNotificationUpdates(capacity: 10)
            return data.startNotifying().flatMap { updates }
        }
    updates.onSuccess { bytes in
        let value: Accelerometer.Data? = bytes.flatMap { SerDe.deserialize($0) }
        print("the visitor is told: \(value?.x ?? 0) g")
    }
    air.run(for: .seconds(3))
    print("\(data.pendingUpdates.count) updates wait; subscribers: \(data.subscribers.count)")
}
