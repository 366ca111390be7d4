import BluethroatAppEnvironment
import BluethroatPeripheralApps
import BluethroatPeripheralFutures
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import SceneRecords

/// A phone that plays a SensorTag, written with futures, and apps that look at it, one with futures and one without.
enum FutureScenes {
    static let all = [
        RecordedScene("sensor-tags", seeds: 8, run: sensorTag),
        RecordedScene("future-centrals", seeds: 6, run: central),
    ]

    private static let data = TiSensorTag.AccelerometerService.Data.uuid
    private static let enabled = TiSensorTag.AccelerometerService.Enabled.uuid
    private static let period = TiSensorTag.AccelerometerService.UpdatePeriod.uuid

    private static func tagPhone(in world: World) -> (phone: Phone, app: PhoneApp, tag: SensorTag) {
        let phone = Phone(named: "tag", in: world)
        let app = phone.addApp(backgroundModes: .bluetoothPeripheral)
        return (phone, app, app.run { SensorTag(clock: .of(world)) })
    }

    private static func sensorTag(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent(Int32(2 * (seed % 4))))
        let (_, app, tag) = tagPhone(in: world)
        let phone = Phone(named: "phone", in: world, at: .metres(x: 2))
        let visitor = phone.addApp().run { VisitingApp(lookingFor: nil) }
        try world.expect("everything discovered", within: .seconds(40)) { visitor.isReady }
        visitor.subscribe(data)
        visitor.write([1], enabled)
        visitor.write([UInt8(10 + 5 * seed)], period)
        world.run(for: .seconds(1))
        app.run { tag.move(seed % 2 == 0 ? .shaking : .turning) }
        try world.expect("accelerations", within: .seconds(30)) { visitor.values > 6 }
        visitor.write([2], enabled)
        app.run { tag.press(.buttonTwo) }
        world.run(for: .seconds(1))
        guard visitor.failures > 0 else { throw SceneFailure("what means nothing was not refused") }
        return SceneRecord(world)
    }

    private static func central(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent(Int32(seed)))
        let (tagPhone, _, tag) = tagPhone(in: world)
        let phone = Phone(named: "phone", in: world, at: .metres(x: 3))
        let app = phone.addApp()
        let manager = app.run { CentralManager() }
        func finish(_ what: String, _ future: () -> Future<Void>) throws {
            let future = app.run(future)
            try world.expect(what, within: .seconds(30)) { future.completed }
            if case .failure(let error)? = future.result { throw SceneFailure("\(what): \(error)") }
        }
        try world.expect("powered on", within: .seconds(5)) { manager.poweredOn }
        _ = app.run { manager.startScanning() }
        try world.expect("a peripheral", within: .seconds(20)) { !manager.peripherals.isEmpty }
        manager.stopScanning()
        guard let peripheral = manager.peripherals.first else { throw SceneFailure("no peripheral") }
        let stream = app.run { peripheral.connect(connectionTimeout: 10) }
        try world.expect("connected", within: .seconds(20)) { peripheral.state == .connected }
        try finish("services") { peripheral.discoverAllServices() }
        for service in peripheral.services {
            try finish("characteristics") { service.discoverAllCharacteristics() }
        }
        func characteristic(_ uuid: String) throws -> Characteristic {
            let all = peripheral.services.flatMap(\.characteristics)
            guard let found = all.first(where: { $0.uuid == CBUUID(string: uuid) }) else {
                throw SceneFailure("no characteristic \(uuid)")
            }
            return found
        }
        let acceleration = try characteristic(data), switched = try characteristic(enabled)
        try finish("read") { acceleration.read() }
        try finish("notifying") { acceleration.startNotifying() }
        let updates = app.run { acceleration.receiveNotificationUpdates() }
        try finish("switched on") { switched.write(data: Data([1])) }
        try world.expect("updates", within: .seconds(30)) { updates.count >= 4 }
        if seed % 2 == 0 {
            peripheral.disconnect()
        } else {
            world.move(tagPhone.device, to: .metres(x: 100_000))
        }
        try world.expect("disconnected", within: .seconds(40)) { peripheral.state == .disconnected }
        guard tag.manager.isAdvertising || seed % 2 == 0 else { throw SceneFailure("the tag does not advertise") }
        guard stream.count >= 1 else { throw SceneFailure("the connection told nothing") }
        return SceneRecord(world)
    }
}
