import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

/// The app is that of Examples/SensorTagApp, file by file.
@Suite("Six things that peripherals do", .air(forbidsMisuse: true))
struct UseCaseTests {
    let air = Air.current
    private typealias Tag = TiSensorTag.AccelerometerService

    @Test("Manager states: Bluetooth comes, goes and is forbidden")
    func states() throws {
        let states = States()
        try air.run(until: states.seen == ["ready"])
        air.switchPower(false)
        try air.run(until: states.seen.last == "switch Bluetooth on")
        air.switchPower(true)
        try air.run(until: states.seen.last == "ready")
        air.resetController()
        try air.run(until: states.seen.suffix(2) == ["a moment, please", "ready"])
        air.app.authorization = .denied
        try air.run(until: states.seen.last == "allow Bluetooth in the settings")
    }

    @Test("Adding services and starting to advertise")
    func publishing() throws {
        let accelerometer = Accelerometer()
        try air.value(of: accelerometer.started)
        #expect(accelerometer.manager.isAdvertising)
        let central = NearbyCentral()
        let heard = try #require(try central.scan())
        #expect(heard[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: Tag.uuid)])
        try central.connect()
        #expect(try central.read(Tag.Data.uuid) == Data([0xC0, 0xE0, 0xA0]))
    }

    @Test("Setting a value: it is read, and nobody is told")
    func setting() throws {
        let accelerometer = Accelerometer()
        try air.value(of: accelerometer.started)
        let central = NearbyCentral()
        try central.connect()
        try central.subscribe(Tag.Data.uuid)
        accelerometer.set(x: 0.5, y: 0, z: 1)
        air.run(for: .seconds(1))
        #expect(central.received(Tag.Data.uuid).isEmpty)
        #expect(try central.read(Tag.Data.uuid) == Data([0xE0, 0x00, 0x40]))
    }

    @Test("Notifying updates: all of them, in order, those from before the subscription included")
    func notifying() throws {
        let accelerometer = Accelerometer()
        try air.value(of: accelerometer.started)
        let central = NearbyCentral()
        try central.connect()
        try accelerometer.measured(x: 0.25, y: 0, z: 1)
        #expect(accelerometer.data.pendingUpdates.count == 1)
        try central.subscribe(Tag.Data.uuid)
        for step in 1...30 { try accelerometer.measured(x: Double(step) / 64, y: 0, z: 1) }
        air.run(for: .seconds(3))
        let x = central.received(Tag.Data.uuid).map { Int8(bitPattern: $0[0]) }
        #expect(x == [-16] + (1...30).map { -Int8($0) })
    }

    @Test("Answering writes of one byte after a look at their length")
    func writing() throws {
        let accelerometer = Accelerometer()
        try air.value(of: accelerometer.started)
        let central = NearbyCentral()
        try central.connect()
        #expect(
            try central.refusal { try central.write([1, 2], to: Tag.Enabled.uuid) } == .invalidAttributeValueLength
        )
        #expect(try central.refusal { try central.write([], to: Tag.Enabled.uuid) } == .invalidAttributeValueLength)
        #expect(try central.refusal { try central.write([7], to: Tag.Enabled.uuid) } == .requestNotSupported)
        #expect(accelerometer.accepted.isEmpty && accelerometer.refused == 3)
        try central.write([1], to: Tag.Enabled.uuid)
        #expect(accelerometer.accepted == [.yes] && accelerometer.enabled.value == Data([1]))
        #expect(try central.read(Tag.Enabled.uuid) == Data([1]))
        accelerometer.stopAnswering()
        #expect(try central.refusal { try central.write([0], to: Tag.Enabled.uuid) } == .requestNotSupported)
        #expect(accelerometer.enabled.value == Data([1]))
    }

    @Test("Being an iBeacon")
    func beacon() throws {
        let uuid = UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!
        let beacon = DoorBeacon(uuid: uuid, major: 1, minor: 2)
        try air.value(of: beacon.started)
        let central = NearbyCentral()
        let heard = try #require(try central.scan()?[CBAdvertisementDataManufacturerDataKey] as? Data)
        #expect(heard.prefix(4) == Data([0x4C, 0x00, 0x02, 0x15]) && heard.suffix(5) == Data([0, 1, 0, 2, 0xC5]))
        try air.value(of: beacon.stop())
        #expect(try central.scan() == nil)
    }

    @Test("Restoration: a write launches the app that the system had ended, and is answered")
    func restoration() throws {
        let app = air.phone.install(named: "Tag", backgroundModes: .bluetoothPeripheral) { launch in
            RestoredTag(isRestored: !launch.peripherals.isEmpty)
        }
        app.launch()
        try air.run(until: app.root(as: RestoredTag.self)?.manager.isAdvertising == true)
        air.run(for: .seconds(1))
        let central = NearbyCentral()
        try central.connect()
        try central.write([0], to: Tag.Enabled.uuid)
        app.enterBackground()
        app.terminate()
        #expect(app.root(as: RestoredTag.self) == nil)
        try central.write([1], to: Tag.Enabled.uuid)
        let again = try #require(app.root(as: RestoredTag.self))
        #expect(again.writes == [Data([1])])
        #expect(try air.value(of: again.restored).localName == "Tag")
        #expect(again.manager.services.count == 1 && again.manager.characteristics.first?.value == Data([1]))
        #expect(try central.read(Tag.Enabled.uuid) == Data([1]))
    }
}
