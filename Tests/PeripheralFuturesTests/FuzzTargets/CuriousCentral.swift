import BluethroatAppEnvironment
import BluethroatPeripheralApps
import BluethroatPeripheralFutures
import BluethroatPhones
import BluethroatSimulation
import BluethroatTesting
import CoreBluetooth
import Foundation
import FuzzInputs

/// An app that has found a SensorTag, and reads, writes and subscribes to whatever it finds, while the tag is moved about.
struct CuriousCentral {
    private let air = Air(seed: 1)
    private let tag: SensorTag
    private let central: NearbyCentral

    private typealias Tag = TiSensorTag
    /// What switches each sensor on, and which bytes it may be set to.
    private static let switches: [(uuid: String, isAllowed: @Sendable (UInt8) -> Bool)] = [
        (Tag.AccelerometerService.Enabled.uuid, { Tag.AccelerometerService.Enabled(rawValue: $0) != nil }),
        (Tag.MagnetometerService.Enabled.uuid, { Tag.MagnetometerService.Enabled(rawValue: $0) != nil }),
        (Tag.GyroscopeService.Enabled.uuid, { Tag.GyroscopeService.Enabled(rawValue: $0) != nil }),
        (Tag.TemperatureService.Enabled.uuid, { Tag.TemperatureService.Enabled(rawValue: $0) != nil }),
        (Tag.BarometerService.Enabled.uuid, { Tag.BarometerService.Enabled(rawValue: $0) != nil }),
        (Tag.HygrometerService.Enabled.uuid, { Tag.HygrometerService.Enabled(rawValue: $0) != nil }),
        (Tag.SensorTagTestService.Enabled.uuid, { Tag.SensorTagTestService.Enabled(rawValue: $0) != nil }),
    ]
    private static let periods: [(uuid: String, isAllowed: @Sendable (UInt8) -> Bool)] = [
        (Tag.AccelerometerService.UpdatePeriod.uuid, { _ in true }),
        (Tag.MagnetometerService.UpdatePeriod.uuid, { _ in true }),
    ]

    init() throws {
        // Keeping what is on the air costs more than all else.
        air.world.tap = nil
        let clock = AppClock.of(air.world)
        tag = air.addPhone(named: "tag").addApp().run { SensorTag(clock: clock) }
        let tag = tag
        try air.run(until: tag.manager.isAdvertising)
        central = NearbyCentral(in: air)
        try central.connect()
    }

    mutating func step(_ input: inout FuzzInput) throws {
        switch input.index(9) {
        case 0, 1, 2: try set(input.pick(Self.switches + Self.periods), input.bytes(input.pick([1, 1, 1, 0, 2, 20])))
        case 3: try subscribe(input.pick(characteristics), input.index(2) == 0)
        case 4: if let value = try read(input.pick(characteristics)) { hold(value.count <= 512) }
        case 5:
            // Nothing comes back of it.
            let bytes = Data(input.bytes(input.index(4)))
            central.peripheral?.writeValue(bytes, for: input.pick(characteristics), type: .withoutResponse)
        case 6: air.run(for: .milliseconds(1 << Int64(input.index(11))))
        case 7: move(&input)
        default:
            try central.disconnect()
            try central.connect()
        }
    }

    private var characteristics: [CBCharacteristic] {
        (central.peripheral?.services ?? []).flatMap { $0.characteristics ?? [] }
    }

    /// Nil where it is refused.
    private func read(_ characteristic: CBCharacteristic) throws -> Data? {
        do { return try central.read(characteristic.uuid.uuidString) } catch is CBATTError { return nil }
    }

    private func subscribe(_ characteristic: CBCharacteristic, _ isOn: Bool) throws {
        do { try central.subscribe(characteristic.uuid.uuidString, isOn) } catch is CBATTError {}
    }

    private func set(_ setting: (uuid: String, isAllowed: (UInt8) -> Bool), _ bytes: [UInt8]) throws {
        let before = try central.read(setting.uuid)
        let refusal = try central.refusal { try central.write(bytes, to: setting.uuid) }
        let after = try central.read(setting.uuid)
        if bytes.count == 1, let byte = bytes.first, setting.isAllowed(byte) {
            hold(refusal == nil && after == Data(bytes), "\(bytes) for \(setting.uuid) is refused, or has no effect")
        } else {
            hold(refusal != nil && after == before, "\(bytes) for \(setting.uuid) is taken")
        }
    }

    private func move(_ input: inout FuzzInput) {
        let sensor = input.pick(tag.sensorNames)
        func axis(_ byte: UInt8) -> Double { Double(Int8(bitPattern: byte)) / 32 }
        switch input.index(4) {
        case 0: tag.hold(x: axis(input.byte()), y: axis(input.byte()), z: axis(input.byte()))
        case 1: tag.move(input.pick(SensorTag.Motion.allCases))
        case 2:
            var numbers = tag.rawNumbers(of: sensor) ?? [:]
            for name in numbers.keys.sorted() { numbers[name] = String(Int(input.byte()) * 257 - 32_768) }
            tag.set(sensor, to: numbers)
        default: tag.press(input.pick([.none, .buttonOne, .buttonTwo]))
        }
    }

    /// Switched off, it tells of nothing more; and it can be read, and switched on again.
    mutating func checkWorks() throws {
        let data = Tag.AccelerometerService.Data.uuid
        for (uuid, _) in Self.switches { try central.write([0], to: uuid) }
        try central.write([10], to: Tag.AccelerometerService.UpdatePeriod.uuid)
        try central.subscribe(data)
        air.run(for: .seconds(1))
        let count = central.notifications.values.reduce(0) { $0 + $1.count }
        air.run(for: .seconds(3))
        hold(
            central.notifications.values.reduce(0) { $0 + $1.count } == count,
            "what is switched off tells of something"
        )
        try central.write([1], to: Tag.AccelerometerService.Enabled.uuid)
        air.run(for: .seconds(1))
        let told = central.received(data)
        hold(told.count >= 5 && told.last?.count == 3, "switched on it tells of nothing: \(told.count)")
        for bytes in told {
            let value: Tag.AccelerometerService.Data? = SerDe.deserialize(Data(bytes))
            hold(value != nil, "\(bytes) is no acceleration")
        }
    }
}
