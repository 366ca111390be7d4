import BluethroatAppEnvironment
import BluethroatPeripheralApps
import BluethroatPeripheralFutures
import BluethroatPhones
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("A phone that plays a SensorTag", .air(forbidsMisuse: true))
struct SensorTagTests {
    let air = Air.current
    let tag: SensorTag
    let central = NearbyCentral()

    private static let data = TiSensorTag.AccelerometerService.Data.uuid
    private static let enabled = TiSensorTag.AccelerometerService.Enabled.uuid
    private static let period = TiSensorTag.AccelerometerService.UpdatePeriod.uuid

    init() throws {
        tag = SensorTag(clock: .of(Air.current.world))
        try air.run(until: tag.manager.isAdvertising)
        try central.connect()
    }

    private func acceleration(_ bytes: [UInt8]) -> TiSensorTag.AccelerometerService.Data? {
        SerDe.deserialize(Data(bytes))
    }

    @Test("It advertises its name, and has eight services")
    func services() throws {
        let found = (central.peripheral?.services ?? []).map(\.uuid.uuidString)
        let wanted = ["AA10", "AA30", "AA50", "AA00", "AA40", "AA20", "AA60"].map {
            "F000\($0)-0451-4000-B000-000000000000"
        }
        #expect(found.filter { $0.hasPrefix("F000") } == wanted && found.contains("FFE0"))
        #expect(try central.scan()?[CBAdvertisementDataLocalNameKey] as? String == "SensorTag")
        #expect(try central.read(Self.data) == Data([0xC0, 0xE0, 0xA0]))
        #expect(try central.read(Self.enabled) == Data([0]) && central.read(Self.period) == Data([100]))
    }

    @Test("It tells of acceleration only while it is switched on, as often as its period says")
    func period() throws {
        try central.subscribe(Self.data)
        air.run(for: .seconds(5))
        #expect(central.received(Self.data).isEmpty)
        try central.write([1], to: Self.enabled)
        air.run(for: .milliseconds(10_500))
        #expect(central.received(Self.data).count == 10)
        #expect(central.received(Self.data).allSatisfy { acceleration($0)?.z == -1 })
        // 100 ms, from now on.
        try central.write([10], to: Self.period)
        let before = central.received(Self.data).count
        air.run(for: .seconds(10))
        #expect((98...101).contains(central.received(Self.data).count - before))
        try central.write([0], to: Self.enabled)
        let all = central.received(Self.data).count
        air.run(for: .seconds(10))
        #expect(central.received(Self.data).count <= all + 1)
    }

    @Test("What cannot be a setting is refused and changes nothing: two bytes, none, and what means nothing")
    func settings() throws {
        for bytes in [[], [1, 1]] as [[UInt8]] {
            #expect(try central.refusal { try central.write(bytes, to: Self.enabled) } == .invalidAttributeValueLength)
        }
        #expect(try central.refusal { try central.write([2], to: Self.enabled) } == .requestNotSupported)
        #expect(try central.read(Self.enabled) == Data([0]))
        try central.write([7], to: TiSensorTag.GyroscopeService.Enabled.uuid)
        try central.write([2], to: TiSensorTag.BarometerService.Enabled.uuid)
    }

    @Test("It measures how it is held and moved; what is beyond its range is refused")
    func motion() throws {
        try central.subscribe(Self.data)
        try central.write([10], to: Self.period)
        try central.write([1], to: Self.enabled)
        #expect(tag.hold(x: 0.5, y: -0.25, z: 1) && !tag.hold(x: 2, y: 0, z: 0))
        air.run(for: .seconds(1))
        let held = try #require(central.received(Self.data).last.flatMap(acceleration))
        #expect((held.x, held.y, held.z) == (0.5, -0.25, 1))
        tag.move(.shaking)
        let before = central.received(Self.data).count
        air.run(for: .seconds(5))
        let shaken = central.received(Self.data).dropFirst(before).compactMap(acceleration)
        let strongest = shaken.map(\.x).max() ?? 0, weakest = shaken.map(\.x).min() ?? 0
        #expect(strongest > 1.3 && weakest < -0.3 && shaken.allSatisfy { $0.y == -0.25 })
        tag.move(.turning)
        air.run(for: .seconds(4))
        let turned = central.received(Self.data).suffix(40).compactMap(acceleration)
        #expect(Set(turned.map(\.y)).count > 10)
    }

    @Test("Other sensors measure what is set, once a second; buttons are told when they are pressed")
    func others() throws {
        let temperature = TiSensorTag.TemperatureService.Data.uuid
        try central.subscribe(temperature)
        try central.subscribe("FFE1")
        try central.write([1], to: TiSensorTag.TemperatureService.Enabled.uuid)
        #expect(tag.set("temperature", to: ["objectRaw": "500", "ambientRaw": "2560"]))
        #expect(!tag.set("temperature", to: ["objectRaw": "500"]) && !tag.set("thermometer", to: [:]))
        tag.press(.buttonTwo)
        tag.press(.none)
        air.run(for: .seconds(3))
        #expect(central.received(temperature).last == [0xF4, 0x01, 0x00, 0x0A])
        #expect((2...3).contains(central.received(temperature).count))
        #expect(central.received("FFE1") == [[2], [0]])
        #expect(tag.set("accelerometer", to: ["xRaw": "-32", "yRaw": "0", "zRaw": "64"]))
    }

    @Test("It is there again, with its settings, after Bluetooth was off and after the controller has failed")
    func comesBack() throws {
        try central.write([1], to: Self.enabled)
        air.resetController()
        try air.run(within: .seconds(30)) { tag.manager.isAdvertising }
        try air.run(within: .seconds(30)) { central.disconnections == 1 }
        try central.connect()
        #expect(try central.read(Self.enabled) == Data([1]))
        try central.write([0], to: Self.enabled)
        air.switchPower(false)
        air.run(for: .seconds(10))
        air.switchPower(true)
        air.run(for: .seconds(10))
        try central.connect()
        #expect(try central.read(Self.enabled) == Data([0]))
    }

    @Test("What happens to it is told")
    func events() throws {
        var told: [String] = []
        tag.said = { event in
            switch event {
            case .configured(let sensor, let setting, let interval): told.append("\(sensor) \(setting) \(interval)")
            case .measured(let sensor, let value): told.append("\(sensor) \(value["z"] ?? "?")")
            default: told.append("?")
            }
        }
        try central.subscribe(Self.data)
        try central.write([50], to: Self.period)
        try central.write([1], to: Self.enabled)
        air.run(for: .milliseconds(600))
        #expect(told == ["accelerometer 0 0.5", "accelerometer 1 0.5", "accelerometer -1.00"])
    }
}

@Suite("A SensorTag that is dropped")
struct DroppedSensorTagTests {
    private struct Weak { weak var characteristic: MutableCharacteristic? }

    @Test("The tag, its manager, its characteristics and a central are freed with their air")
    func leaks() throws {
        weak var tag: SensorTag?
        weak var manager: PeripheralManager?
        weak var central: NearbyCentral?
        var characteristics: [Weak] = []
        do {
            let air = Air(seed: 1)
            let played = air.addPhone(named: "tag").addApp().run { SensorTag(clock: .of(air.world)) }
            try air.run(until: played.manager.isAdvertising)
            let near = NearbyCentral(in: air)
            try near.connect()
            try near.write([1], to: TiSensorTag.AccelerometerService.Enabled.uuid)
            (tag, manager, central) = (played, played.manager, near)
            characteristics = played.manager.characteristics.map(Weak.init)
        }
        #expect(tag == nil && manager == nil && central == nil && characteristics.count > 10)
        #expect(characteristics.allSatisfy { $0.characteristic == nil })
    }
}

@Suite("A phone that is an iBeacon", .air(forbidsMisuse: true))
struct BeaconPhoneTests {
    @Test("It advertises as soon as Bluetooth is on, with the power that it is told to claim")
    func power() throws {
        let air = Air.current
        let uuid = UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!
        let region = BeaconRegion(proximityUUID: uuid, identifier: "door", major: 1, minor: 2)
        let phone = BeaconPhone(region: region, power: -70)
        try air.run(until: phone.manager.isAdvertising)
        let central = NearbyCentral()
        let heard = try #require(try central.scan()?[CBAdvertisementDataManufacturerDataKey] as? Data)
        #expect(heard.count == 25 && heard.suffix(5) == Data([0, 1, 0, 2, 0xBA]))
        air.resetController()
        air.run(for: .seconds(1))
        #expect(try central.scan() != nil)
    }
}
