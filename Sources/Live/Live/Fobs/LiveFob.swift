public import BluethroatBluetoothValues
public import BluethroatKeyFob
package import BluethroatKeyFobConsole
public import BluethroatKeyFobPhone
package import BluethroatRadioMedium
package import BluethroatSimulation
package import BluethroatWorkbench

/// Either of the two fobs, as the world in which it lives sees it.
package protocol LiveFob: WorkbenchFob {
    /// Comes into a world, and is switched on.
    func enter(_ session: LiveSession, identity: PersistentIdentity, at position: Position) -> DeviceID

    /// Does what a word says; or says why not, in one line.
    func obey(_ word: KeyFobWord, in world: World) -> String?

    /// What has changed since this was asked last.
    func takeNotices() -> [FobNotice]

    /// The keys that are held down at the panel.
    var held: KeyFobKeys { get set }

    /// How it is tilted at the panel, in g along each axis.
    var tilt: [Double] { get set }
}

/// What fingers at the panel do is said in the words that a terminal has.
extension LiveFob {
    package func hold(_ keys: KeyFobKeys, in world: World) {
        for key in KeyFobKey.allCases where keys.contains(KeyFobKeys(key)) != held.contains(KeyFobKeys(key)) {
            _ = obey(keys.contains(KeyFobKeys(key)) ? .hold(key) : .release(key), in: world)
        }
        held = keys
    }

    package func setBattery(percent: Int, in world: World) { _ = obey(.battery(percent: percent), in: world) }

    package func tilt(x: Double, y: Double, z: Double, in world: World) {
        tilt = [x, y, z]
        _ = obey(.tiltInG(x: x, y: y, z: z), in: world)
    }
}

/// Which of the two it is, and what is special about it.
public enum FobChoice: Sendable {
    /// TI's.
    case hardware(KeyFobOptions)
    /// A phone with an app that plays one.
    case phone(PhoneFobOptions)

    /// - Parameter number: which of several fobs in a world it is; it decides the address.
    package func make(number: Int = 0) -> any LiveFob {
        switch self {
        case .hardware(let options): HardwareFob(options: options, number: number)
        case .phone(let options): PhoneFob.make(options: options, number: number)
        }
    }

    package var vocabulary: KeyFobWord.Vocabulary {
        switch self {
        case .hardware: .hardware
        case .phone: .phone
        }
    }

    /// That of its controller on a virtual air.
    public var address: DeviceAddress { address(number: 0) }

    /// The same of one of several fobs in a world; the first has the number 0.
    public func address(number: Int) -> DeviceAddress {
        switch self {
        case .hardware: KeyFobDevice.address(number: number)
        case .phone: PhoneFobOptions.address(number: number)
        }
    }

    /// Under which name its identity is kept beside its bonds.
    public var identityName: String { identityName(number: 0) }

    /// The same of one of several fobs in a world; the first has the number 0.
    public func identityName(number: Int) -> String {
        let name =
            switch self {
            case .hardware: "keyfob"
            case .phone: "keyfob-phone"
            }
        return number == 0 ? name : "\(name) \(number + 1)"
    }

    package var accelerometerChip: KeyFobOptions.AccelerometerChip {
        if case .hardware(let options) = self { options.accelerometerChip } else { .cma3000 }
    }
}

/// What can be said of the phone that plays a fob.
public struct PhoneFobOptions: Sendable {
    /// A public address from a block without an owner, the same in every run; each further phone has the next one.
    public static func address(number: Int = 0) -> DeviceAddress {
        DeviceAddress(value: 0xB20E_F0B0_0001 + UInt64(number & 0xFFFF), kind: .public)
    }

    /// What the app cannot do, as on iOS 6.
    public var limits: IOS6Limits
    /// What the app does as its source does it, and not as its article says.
    public var source: SimulatorSource
    /// Whether the Advertise switch is moved as soon as it can be.
    public var advertisesAtStart: Bool
    /// Nil is the phone's own.
    public var advertisingInterval: AdvertisingInterval?

    /// By default an app of today that advertises as soon as it can.
    public init(
        limits: IOS6Limits = [],
        source: SimulatorSource = [],
        advertisesAtStart: Bool = true,
        advertisingInterval: AdvertisingInterval? = nil
    ) {
        self.limits = limits
        self.source = source
        self.advertisesAtStart = advertisesAtStart
        self.advertisingInterval = advertisingInterval
    }
}
