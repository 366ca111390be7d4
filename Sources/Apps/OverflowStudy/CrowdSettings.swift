public import BluethroatBluetoothValues
public import BluethroatOverflowArea
public import BluethroatSimulation
public import BluethroatVirtualTime

/// A crowd: phones whose apps are in the background and send a payload in the overflow area, and people among them who
/// walk about with an app on their screens that looks for such payloads. Or, in conversations, phones in pairs without those.
/// A number out of its range counts as the nearest one in it.
public struct CrowdSettings: Hashable, Sendable {
    /// What phones send.
    public enum Sending: Hashable, Sendable {
        /// Four bytes in two positions in turn.
        case positions
        /// Four bytes as a code word that stays.
        case code(OverflowCode)
        /// A message of 32 bytes to a phone a metre away, which sends one back: the first with the second, the third with the
        /// fourth. Sixteen phones at most.
        case conversation

        /// As it is given on the command line.
        public var name: String {
            switch self {
            case .positions: "demo"
            case .code(.hamming): "hamming"
            case .code(.bch): "bch"
            case .conversation: "conversation"
            }
        }
    }

    /// How many phones there are that send; 0 to 2 000 000.
    public var phones = 200
    /// How many people walk about and listen; 0 to 10 000.
    public var scanners = 4
    /// The side of the square in which all of them are, in metres; 1 to 100 000.
    public var side = 200.0
    /// How long it is listened; up to 30 years.
    public var length = TimeSpan.seconds(120)
    /// After which time a payload changes its position; up to 30 years.
    public var rotation = TimeSpan.seconds(5)
    /// How often a phone advertises; the default is 1022.5 ms, as phones in the background do.
    public var interval = AdvertisingInterval(steps: 1636)!
    /// How likely it is, for each of the two banks of each phone, that another app on the phone has a bit in it set all the
    /// time, one of those that are looked at.
    public var pollution = Ratio.never
    /// How many bits another app on each phone has set all the time, anywhere in the area; 0 to 64. Those of fewer are among
    /// those of more.
    public var foreignBits = 0
    public var sending = Sending.positions
    /// How fast the people with scanners walk, in metres a second; 0 to 100.
    public var speed = 1.4
    /// The major version of iOS on the phones; from 14 on, what an app changes in the background is not on the air.
    public var systemVersion = 13
    /// How much of what is on the air is computed.
    public var air = AirMode.exact

    public init() {}
}

extension CrowdSettings {
    /// About how many bytes a world of it takes: a phone that sends 8 kB, and half as much with another app beside, a
    /// scanner 20 kB and what it keeps of the phones that it hears, some hundred bytes each.
    public var memory: UInt64 { inRange.neededMemory }

    private var neededMemory: UInt64 {
        let hasOtherApp = foreignBits > 0 || pollution != .never
        let inReach = UInt64(min(Double(phones), Double(phones) * 20_000 / (side * side)))
        return UInt64(phones) * (hasOtherApp ? 12_000 : 8_200) + UInt64(scanners) * (20_000 + 600 * inReach)
    }

    /// The same with each number in its range; what is no number is the least.
    var inRange: Self {
        let longest = TimeSpan.seconds(30 * 365 * 86_400)
        var crowd = self
        crowd.phones = min(max(0, phones), 2_000_000)
        crowd.scanners = min(max(0, scanners), 10_000)
        crowd.side = min(max(1, side), 100_000)
        crowd.length = min(max(.zero, length), longest)
        crowd.rotation = min(max(.zero, rotation), longest)
        crowd.foreignBits = min(max(0, foreignBits), 64)
        crowd.speed = min(max(0, speed), 100)
        return crowd
    }

    /// How many bytes a payload has.
    static let payloadSize = 4

    /// The code word as which payloads are sent; nil if they are not.
    var code: OverflowCode? { if case .code(let code) = sending { code } else { nil } }

    /// How many bytes are got at once.
    var deliverySize: Int { sending == .conversation ? 32 : Self.payloadSize }

    /// The same crowd with payloads in two positions.
    var withoutCode: Self {
        var crowd = self
        crowd.sending = .positions
        return crowd
    }

    /// Before this it is not listened: the phones begin one after the other, and each is in its own rhythm by then.
    var overture: TimeSpan { max(rotation, interval.span) + .seconds(1) }

    /// The side in millimetres.
    var sideMillimetres: Int64 { Int64((side * 1_000).rounded()) }
}
