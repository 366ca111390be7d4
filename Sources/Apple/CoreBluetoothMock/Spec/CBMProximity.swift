/// How far a simulated peripheral is from the phone.
///
/// It is a place at which its signal comes in with the strength that is given here; the radios of both sides are sensitive
/// enough to hear -100 dBm.
public enum CBMProximity: Hashable, Sendable {
    /// -40 dBm.
    case immediate
    /// -70 dBm.
    case near
    /// -100 dBm.
    case far
    /// Nothing is heard. A connection ends when its supervision timeout does.
    case outOfRange

    /// By how many decibels the strengths that apps are told vary.
    public enum Deviation: Hashable, Sendable {
        /// Not at all.
        case none
        /// Up to 15 dB, up and down.
        case `default`
        /// Up to so many decibels, up and down; a negative number is taken as positive.
        case custom(_ deviation: Int)
    }
}

extension CBMProximity {
    /// In dBm; nil where nothing is heard.
    var signalStrength: Int? {
        switch self {
        case .immediate: -40
        case .near: -70
        case .far: -100
        case .outOfRange: nil
        }
    }

    /// The same as tests of the original have it by `@testable`: 127 where nothing is heard, as CoreBluetooth says it.
    var RSSI: Int { signalStrength ?? 127 }
}

extension CBMProximity.Deviation {
    /// In decibels, 0 to 100.
    var decibels: Int {
        switch self {
        case .none: 0
        case .default: 15
        case .custom(let deviation): Int(min(deviation.magnitude, 100))
        }
    }
}
