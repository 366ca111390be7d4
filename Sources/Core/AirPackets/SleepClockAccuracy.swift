/// How far a device's sleep clock may be off: the SCA field. Core 6.0, Vol 6, Part B, 2.3.3.1.
public enum SleepClockAccuracy: UInt8, Sendable, CaseIterable {
    case upTo500 = 0
    case upTo250 = 1
    case upTo150 = 2
    case upTo100 = 3
    case upTo75 = 4
    case upTo50 = 5
    case upTo30 = 6
    case upTo20 = 7

    /// The most that the clock may be off, in parts per million.
    @inlinable
    public var partsPerMillion: Int64 {
        switch self {
        case .upTo500: 500
        case .upTo250: 250
        case .upTo150: 150
        case .upTo100: 100
        case .upTo75: 75
        case .upTo50: 50
        case .upTo30: 30
        case .upTo20: 20
        }
    }
}
