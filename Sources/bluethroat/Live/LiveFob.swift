import BluetoothValues
import KeyFob
import KeyFobConsole
import KeyFobPhone
import RadioMedium
import Simulation
import Stage

/// Either of the two fobs, as the world in which it lives sees it.
protocol LiveFob: StageFob {
    /// Comes into a world, and is switched on.
    func enter(_ scene: LiveScene, keeping: Keeping, at position: Position) -> DeviceID

    /// Does what a word says; or says why not, in one line.
    func obey(_ word: KeyFobWord, in world: World) -> String?

    /// What has changed since this was asked last.
    func takeNotices() -> [FobNotice]

    /// The keys that somebody at the panel holds.
    var held: KeyFobKeys { get set }

    /// How somebody at the panel holds it, in g along each axis.
    var tilt: [Double] { get set }
}

/// What fingers at the panel do is said in the words that a terminal has.
extension LiveFob {
    func hold(_ keys: KeyFobKeys, in world: World) {
        for key in KeyFobKey.allCases where keys.contains(KeyFobKeys(key)) != held.contains(KeyFobKeys(key)) {
            _ = obey(keys.contains(KeyFobKeys(key)) ? .hold(key) : .release(key), in: world)
        }
        held = keys
    }

    func setBattery(percent: Int, in world: World) { _ = obey(.battery(percent: percent), in: world) }

    func tilt(x: Double, y: Double, z: Double, in world: World) {
        tilt = [x, y, z]
        _ = obey(.tiltInG(x: x, y: y, z: z), in: world)
    }
}

/// Which of the two it is, and what is special about it.
enum FobChoice: Sendable {
    case hardware(KeyFobOptions)
    case phone(PhoneFobOptions)

    /// - Parameter number: which of several fobs in a world it is; it decides the address.
    func make(number: Int = 0) -> any LiveFob {
        switch self {
        case .hardware(let options): HardwareFob(options: options, number: number)
        case .phone(let options): PhoneFob.make(options: options, number: number)
        }
    }

    var vocabulary: KeyFobWord.Vocabulary {
        switch self {
        case .hardware: .hardware
        case .phone: .phone
        }
    }

    /// That of its controller on a virtual air.
    var address: DeviceAddress {
        switch self {
        case .hardware: KeyFobDevice.address()
        case .phone: PhoneFobOptions.address()
        }
    }

    /// Under which name its identity is kept beside its bonds.
    var identityName: String {
        switch self {
        case .hardware: "keyfob"
        case .phone: "keyfob-phone"
        }
    }

    var accelerometerChip: KeyFobOptions.AccelerometerChip {
        if case .hardware(let options) = self { options.accelerometerChip } else { .cma3000 }
    }
}

/// What can be said of the phone that plays a fob.
struct PhoneFobOptions: Sendable {
    /// A public address from nobody's block, the same in every run; each further phone has the next one.
    static func address(number: Int = 0) -> DeviceAddress {
        DeviceAddress(value: 0xB20E_F0B0_0001 + UInt64(number & 0xFFFF), kind: .public)
    }

    var limits: IOS6Limits = []
    /// Whether the Advertise switch is moved as soon as it can be.
    var advertisesAtStart = true
    /// Nil is the phone's own.
    var advertisingInterval: AdvertisingInterval?
}
