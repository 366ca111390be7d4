import BluethroatBluetoothValues
import BluethroatVirtualTime

/// What the crowds of a study may differ in.
public enum StudyParameter: String, Hashable, Sendable, CaseIterable {
    case phones
    case scanners
    case area
    case rotation
    case interval
    case pollution
    case speed
    case foreign

    /// What people call it, with its unit.
    public var title: String {
        switch self {
        case .phones: "phones"
        case .scanners: "scanners"
        case .area: "area, m"
        case .rotation: "rotation, s"
        case .interval: "interval, ms"
        case .pollution: "pollution"
        case .speed: "speed, m/s"
        case .foreign: "foreign bits"
        }
    }

    /// For an axis.
    var axisTitle: String {
        switch self {
        case .phones: "phones in the area"
        case .scanners: "scanners in the area"
        case .area: "side of the area in metres"
        case .rotation: "rotation period in seconds"
        case .interval: "advertising interval in milliseconds"
        case .pollution: "probability that a bank is polluted"
        case .speed: "walking speed in metres a second"
        case .foreign: "bits that another app sets, of 128"
        }
    }

    public func value(of crowd: CrowdSettings) -> Double {
        switch self {
        case .phones: Double(crowd.phones)
        case .scanners: Double(crowd.scanners)
        case .area: crowd.side
        case .rotation: crowd.rotation.inSeconds
        case .interval: crowd.interval.span.inSeconds * 1_000
        case .pollution: Double(crowd.pollution.partsPerMillion) / 1_000_000
        case .speed: crowd.speed
        case .foreign: Double(crowd.foreignBits)
        }
    }
}
