public import BluethroatVirtualTime

/// TI's key fob as a value: it receives events with their instants, and answers with what the fob does.
///
/// It knows neither packets nor handles, only that a radio below it advertises, connects and carries values.
public struct KeyFobModel: Sendable {
    /// Where the central is, as far as the fob knows.
    public enum Proximity: Hashable, Sendable {
        case initialized
        case inRange
        /// The central has written an immediate alert level other than none.
        case pathLoss
        /// The connection has ended by supervision timeout.
        case linkLoss
    }

    enum Power: Hashable, Sendable {
        case off
        /// Running, with the radio not yet ready.
        case startingStack
        case on
    }

    enum Advertising: Hashable, Sendable {
        case off
        case starting
        case on
        case stopping
    }

    /// How long the firmware waits before it starts the stack.
    static let stackDelay = TimeSpan.milliseconds(500)
    /// How long LED1 shows that there is power.
    static let powerLight = TimeSpan.seconds(1)
    static let accelerometerPeriod = TimeSpan.milliseconds(50)

    public let options: KeyFobOptions

    var power = Power.off
    var advertising = Advertising.off
    /// What the keys, the timer and the connections want advertising to be; the radio follows.
    public internal(set) var wantsAdvertising = false
    public internal(set) var isConnected = false
    public internal(set) var proximity = Proximity.initialized
    var linkLossLevel = AlertLevel.none
    var immediateLevel = AlertLevel.none
    /// In dBm: 0 or -6.
    var txPower: Int8 = 0
    var accelerometerEnabled = false
    /// What the sensor would say now.
    var acceleration = Acceleration.zero
    var alert = KeyFobAlert()
    var lights = KeyFobLights()
    var battery: BatteryGauge
    var filter = AccelerometerFilter()
    var keys: KeyScanner
    var timers = Deadlines<KeyFobTimer>()

    public init(options: KeyFobOptions = KeyFobOptions()) {
        self.options = options
        battery = BatteryGauge(service: options.batteryService)
        keys = KeyScanner(timing: options.keyTiming)
    }

    /// Whether the radio sends advertisements, as far as it has said so.
    public var isAdvertising: Bool { advertising == .on || advertising == .stopping }
    public var alertLevel: AlertLevel { alert.level }
    public var alertSource: AlertSource? { alert.source }
    /// The buzzer's tone, in hertz.
    public var tone: Int? { alert.tone }
    public var led1: Bool { lights.led1 }
    public var led2: Bool { lights.led2 }
    public var sensedAcceleration: Acceleration { acceleration }

    /// A value as a central would read it, without measuring anything.
    public func value(of value: KeyFobValue) -> UInt8 {
        switch value {
        case .linkLossLevel: linkLossLevel.rawValue
        case .immediateAlertLevel: immediateLevel.rawValue
        case .txPowerLevel: UInt8(bitPattern: txPower)
        case .batteryLevel: battery.level
        case .batteryState: battery.state
        case .accelerometerEnable: accelerometerEnabled ? 1 : 0
        case .x: UInt8(bitPattern: filter.reported.x)
        case .y: UInt8(bitPattern: filter.reported.y)
        case .z: UInt8(bitPattern: filter.reported.z)
        case .keys: keys.reported.rawValue
        }
    }

    /// A central reads a value. Reading the battery level of the SIG's service measures it.
    public mutating func read(_ value: KeyFobValue, into effects: inout [KeyFobEffect]) -> UInt8 {
        if value == .batteryLevel, options.batteryService == .assigned, battery.measure() {
            effects.append(.battery(percent: battery.level))
        }
        return self.value(of: value)
    }

    public mutating func handle(_ event: KeyFobEvent, at now: Instant, into effects: inout [KeyFobEffect]) {
        switch event {
        case .powerUp: powerUp(at: now)
        case .stackStarted: stackStarted(into: &effects)
        case .advertisingStarted: advertisingStarted(at: now, into: &effects)
        case .advertisingStopped: advertisingStopped(into: &effects)
        case .advertisingFailed: advertisingFailed()
        case .connected: connected(at: now, into: &effects)
        case .disconnected(let bySupervisionTimeout):
            disconnected(bySupervisionTimeout: bySupervisionTimeout, at: now, into: &effects)
        case .written(let value, let byte): written(value, byte, at: now, into: &effects)
        case .keyDown(let key): moved(key, down: true, at: now, into: &effects)
        case .keyUp(let key): moved(key, down: false, at: now, into: &effects)
        case .toggleAdvertising: toggleAdvertising(into: &effects)
        case .batteryVoltage(let millivolts): battery.supply(millivolts: millivolts)
        case .batteryCharge(let percent): battery.supply(percent: percent)
        case .acceleration(let new): acceleration = new
        }
    }

    /// When `expire` has something to do next.
    public var nextDeadline: Instant? { timers.next }

    /// Does everything that is due, in order, each thing at its own instant.
    public mutating func expire(at now: Instant, into effects: inout [KeyFobEffect]) {
        while let (timer, due) = timers.takeDue(at: now) {
            switch timer {
            case .stackStart: startStack(at: due, into: &effects)
            case .powerLightEnd: lights.setLED1(false, into: &effects)
            case .batteryCheck: checkBattery(at: due, into: &effects)
            case .advertisingEnd: setAdvertising(wanted: false, into: &effects)
            case .buzzer: buzzerTurns(at: due, into: &effects)
            case .flash: lights.expireFlash(at: due, timers: &timers, into: &effects)
            case .accelerometerSample: sampleAccelerometer(at: due, into: &effects)
            case .keyScan:
                if let keys = keys.scan(at: due, timers: &timers) { handle(keys, into: &effects) }
            }
        }
    }
}
