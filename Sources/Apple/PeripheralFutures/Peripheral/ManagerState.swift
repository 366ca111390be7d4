public import CoreBluetooth

/// Whether Bluetooth can be used.
public enum ManagerState: CustomStringConvertible, Hashable, Sendable {
    case unauthorized
    case unknown
    case unsupported
    case resetting
    case poweredOff
    case poweredOn

    /// What CoreBluetooth says.
    public init(_ state: CBManagerState) {
        switch state {
        case .unauthorized: self = .unauthorized
        case .unsupported: self = .unsupported
        case .resetting: self = .resetting
        case .poweredOff: self = .poweredOff
        case .poweredOn: self = .poweredOn
        case .unknown: self = .unknown
        @unknown default: self = .unknown
        }
    }

    public var description: String {
        switch self {
        case .unauthorized: "unauthorized"
        case .unknown: "unknown"
        case .unsupported: "unsupported"
        case .resetting: "resetting"
        case .poweredOff: "poweredOff"
        case .poweredOn: "poweredOn"
        }
    }

    /// Whether the system has forgotten what was published and advertised.
    var isBelowOff: Bool { self != .poweredOn && self != .poweredOff }
}
