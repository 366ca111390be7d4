public import BluethroatBluetoothValues
public import BluethroatKeyFob
public import BluethroatSimulation

/// A key fob on the workbench, of whichever kind: what can be seen of it, and what fingers can do to it.
public protocol WorkbenchFob: AnyObject {
    /// In dBm.
    var transmitPower: Int8 { get }

    /// What can be seen of it now.
    func look(in world: World) -> FobLook

    /// Exactly these keys are held from now on.
    func hold(_ keys: KeyFobKeys, in world: World)

    /// From 0 to 100.
    func setBattery(percent: Int, in world: World)

    /// What its accelerometer shall measure, in g.
    func tilt(x: Double, y: Double, z: Double, in world: World)

    /// False if that cannot be done at the moment.
    func advertise(_ isOn: Bool, in world: World) -> Bool

    /// Puts the battery in or takes it out; of a phone, switches Bluetooth.
    func setPower(_ isOn: Bool, in world: World)
}

/// Everything that can be seen and heard of a key fob.
public struct FobLook: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case hardware = "keyfob"
        case phone = "keyfob-phone"
    }

    public enum Colour: String, Hashable, Sendable, CaseIterable {
        case black
        case green
        case blue
        case amber
        case red
    }

    public var kind: Kind
    /// Whether it has a battery; of a phone, whether Bluetooth is on.
    public var isPowered = true
    public var address: DeviceAddress?
    /// What it says of itself.
    public var label = ""
    public var labelColour = Colour.black
    public var keys: KeyFobKeys = []
    public var leftLED = false
    public var rightLED = false
    public var alertLED = false
    /// What sounds at this instant, in hertz.
    public var tones: [Int] = []
    public var alert = AlertLevel.none
    /// What is in the battery, in percent.
    public var battery = 100
    /// The battery level that centrals read, in percent.
    public var reportedBattery = 100
    public var transmitPower: Int8 = 0
    public var isAdvertising = false
    /// Whether advertising can be switched at the moment.
    public var canAdvertise = true
    public var isSensing = false
    /// What the accelerometer measures, in g.
    public var tilt = [0.0, 0.0, 0.0]
    /// The same as it is sent.
    public var sent = Acceleration.zero
    public var connections: [Connection] = []

    /// A central at the other end.
    public struct Connection: Hashable, Sendable {
        public var peer: DeviceAddress
        public var intervalMilliseconds: Double
        public var latency: Int
        public var isEncrypted: Bool
        public var subscriptions: [BluetoothUUID]

        public init(
            peer: DeviceAddress,
            intervalMilliseconds: Double,
            latency: Int,
            isEncrypted: Bool,
            subscriptions: [BluetoothUUID]
        ) {
            self.peer = peer
            self.intervalMilliseconds = intervalMilliseconds
            self.latency = latency
            self.isEncrypted = isEncrypted
            self.subscriptions = subscriptions
        }
    }

    public init(kind: Kind) { self.kind = kind }
}
