public import BluethroatAppEnvironment
public import BluethroatPeripheralFutures
import CoreBluetooth

/// A phone that plays Texas Instruments' SensorTag: eight services, of which those that measure do so while a central has
/// them switched on, as often as it wants.
///
/// All of it happens where its manager calls back; it is to be used there.
public final class SensorTag {
    /// How it is moved.
    public enum Motion: String, CaseIterable, Sendable {
        /// It lies where it is.
        case still
        /// It turns about the axis that stands upright, once in four seconds, leaning over by a third of g.
        case turning
        /// It is shaken along x, twice a second, with one g.
        case shaking
    }

    public let manager: PeripheralManager
    /// What it is called on the air.
    public let name: String
    /// Receives errors and other events.
    public var said: (Event) -> Void = { _ in }

    /// What happens to it.
    public enum Event: Sendable {
        case state(ManagerState)
        case advertising
        case failed(String)
        /// A central has switched a sensor on or off, or changed how often it measures.
        case configured(sensor: String, setting: UInt8, interval: Double)
        /// A sensor has measured, and subscribers were notified.
        case measured(sensor: String, value: [String: String])
    }

    private let clock: AppClock
    private var sensors: [String: Sensor] = [:]
    /// The names of the sensors, in the order of their services.
    public private(set) var sensorNames: [String] = []
    private var services: [MutableService] = []
    private var timers: [String: AppTimer] = [:]
    private var motion = Motion.still
    private var motionBegan: Double
    private var acceleration = (x: 0.0, y: 0.0, z: -1.0)
    private var calibration: MutableCharacteristic?
    private var keys: MutableCharacteristic?

    public init(clock: AppClock, name: String = "SensorTag") {
        self.clock = clock
        self.name = name
        motionBegan = clock.now
        manager = PeripheralManager()
        makeServices()
        let changes = manager.whenStateChanges()
        changes.onSuccess { [weak self] state in self?.changed(state) }
    }

    // MARK: What happens to it

    /// How it is held and moved, in g; a movement that it was in ends.
    ///
    /// - Returns: false if the sensor cannot measure that, which is anything from 2 g on.
    @discardableResult
    public func hold(x: Double, y: Double, z: Double) -> Bool {
        guard TiSensorTag.AccelerometerService.Data(x: x, y: y, z: z) != nil else { return false }
        acceleration = (x, y, z)
        motion = .still
        return true
    }

    /// From now on it is moved like this, around where it is held.
    public func move(_ motion: Motion) {
        self.motion = motion
        motionBegan = clock.now
    }

    /// A button is pressed, or none is.
    public func press(_ key: TiSensorTag.KeyPressedService.State) {
        guard let keys else { return }
        if keys.subscribers.isEmpty { keys.value = SerDe.serialize(key) } else { try? keys.update(key) }
    }

    /// What one of the other sensors measures from now on, as its profile writes it: `["objectRaw": "-172", …]`.
    ///
    /// - Returns: false if there is no such sensor, or parts are missing.
    @discardableResult
    public func set(_ name: String, to value: [String: String]) -> Bool {
        guard let sensor = sensors[name], let data = sensor.data.data(fromString: value) else { return false }
        if name == Self.accelerometer {
            guard let held: TiSensorTag.AccelerometerService.Data = SerDe.deserialize(data) else { return false }
            return hold(x: held.x, y: held.y, z: held.z)
        }
        sensor.data.value = data
        return true
    }

    /// The raw numbers of what a sensor measures at the moment, as `set` takes them; nil if there is no such sensor.
    public func rawNumbers(of name: String) -> [String: String]? {
        sensors[name]?.data.stringValue?.filter { $0.key.hasSuffix("Raw") }
    }

    // MARK: Services

    private static let accelerometer = "accelerometer"

    private func makeServices() {
        let profiles = ProfileManager()
        TISensorTagProfiles.create(profileManager: profiles)
        typealias Tag = TiSensorTag
        add(
            Self.accelerometer,
            profiles,
            Tag.AccelerometerService.self,
            Tag.AccelerometerService.Data.uuid,
            Tag.AccelerometerService.Enabled.self,
            period: Tag.AccelerometerService.UpdatePeriod.uuid
        )
        add(
            "magnetometer",
            profiles,
            Tag.MagnetometerService.self,
            Tag.MagnetometerService.Data.uuid,
            Tag.MagnetometerService.Enabled.self,
            period: Tag.MagnetometerService.UpdatePeriod.uuid
        )
        add(
            "gyroscope",
            profiles,
            Tag.GyroscopeService.self,
            Tag.GyroscopeService.Data.uuid,
            Tag.GyroscopeService.Enabled.self
        )
        add(
            "temperature",
            profiles,
            Tag.TemperatureService.self,
            Tag.TemperatureService.Data.uuid,
            Tag.TemperatureService.Enabled.self
        )
        add(
            "barometer",
            profiles,
            Tag.BarometerService.self,
            Tag.BarometerService.Data.uuid,
            Tag.BarometerService.Enabled.self
        )
        add(
            "hygrometer",
            profiles,
            Tag.HygrometerService.self,
            Tag.HygrometerService.Data.uuid,
            Tag.HygrometerService.Enabled.self
        )
        add(
            "test",
            profiles,
            Tag.SensorTagTestService.self,
            Tag.SensorTagTestService.Data.uuid,
            Tag.SensorTagTestService.Enabled.self
        )
        let keyService = MutableService(profile: ConfiguredServiceProfile<Tag.KeyPressedService>())
        let keys = MutableCharacteristic(profile: RawCharacteristicProfile<Tag.KeyPressedService.State>())
        keyService.characteristics = [keys]
        self.keys = keys
        services.append(keyService)
    }

    private func add<Choice: RawDeserializable & CharacteristicConfigurable>(
        _ name: String,
        _ profiles: ProfileManager,
        _ service: any ServiceConfigurable.Type,
        _ data: String,
        _ choice: Choice.Type,
        period: String? = nil
    ) where Choice.RawType == UInt8 {
        guard let profile = profiles.services[CBUUID(string: service.uuid)] else {
            preconditionFailure("\(service.name) has no profile")
        }
        let sensor = Sensor(profile, data: data, configuration: choice.uuid, period: period) { byte in
            choice.init(rawValue: byte) != nil
        }
        sensor.changed = { [weak self] in self?.configured(name) }
        sensors[name] = sensor
        sensorNames.append(name)
        services.append(sensor.service)
    }

    // MARK: Bluetooth

    private func changed(_ state: ManagerState) {
        said(.state(state))
        // Below off the system has forgotten what was published.
        guard state == .poweredOn, !manager.isAdvertising else { return }
        publish(services[...])
    }

    /// One service after the other, and then it advertises.
    private func publish(_ rest: ArraySlice<MutableService>) {
        guard let service = rest.first else {
            let started = manager.startAdvertising(name, uuids: [CBUUID(string: TiSensorTag.AccelerometerService.uuid)])
            started.onSuccess { [weak self] in self?.said(.advertising) }
            return started.onFailure { [weak self] error in self?.said(.failed("\(error.localizedDescription)")) }
        }
        let added = manager.add(service)
        added.onSuccess { [weak self] in
            guard let self else { return }
            for name in sensorNames where sensors[name]?.service === service { sensors[name]?.takeWrites() }
            publish(rest.dropFirst())
        }
        added.onFailure { [weak self] error in self?.said(.failed("\(service.name): \(error.localizedDescription)")) }
    }

    // MARK: Measuring

    private func configured(_ name: String) {
        guard let sensor = sensors[name] else { return }
        said(.configured(sensor: name, setting: sensor.setting, interval: sensor.interval))
        timers[name]?.cancel()
        timers[name] = sensor.isOn ? clock.each(sensor.interval) { [weak self] in self?.measure(name) } : nil
    }

    private func measure(_ name: String) {
        guard let sensor = sensors[name] else { return }
        let value = name == Self.accelerometer ? accelerometerValue : sensor.data.value ?? Data()
        sensor.measure(value)
        if !sensor.data.subscribers.isEmpty {
            said(.measured(sensor: name, value: sensor.data.stringValue ?? [:]))
        }
    }

    private var accelerometerValue: Data {
        let since = clock.now - motionBegan
        var (x, y, z) = acceleration
        switch motion {
        case .still: break
        case .turning:
            x += cos(since * .pi / 2) / 3
            y += sin(since * .pi / 2) / 3
        case .shaking: x += sin(since * .pi * 4)
        }
        // Beyond its range it says the most that it can.
        let most = 126.0 / 64
        (x, y, z) = (min(max(x, -most), most), min(max(y, -most), most), min(max(z, -most), most))
        return TiSensorTag.AccelerometerService.Data(x: x, y: y, z: z).map { SerDe.serialize($0) } ?? Data([0, 0, 0])
    }
}
