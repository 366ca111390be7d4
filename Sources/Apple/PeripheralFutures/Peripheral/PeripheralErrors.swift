public import Foundation

/// Why a peripheral manager did not do what was asked.
public enum PeripheralManagerError: Error, LocalizedError, Hashable, Sendable {
    case isAdvertising
    case restoreFailed
    case stopAdvertisingTimeout

    public var errorDescription: String? {
        switch self {
        case .isAdvertising: "PeripheralManager is advertising."
        case .restoreFailed: "PeripheralManager state restoration failed."
        case .stopAdvertisingTimeout: "PeripheralManager stopAdvertising timeout."
        }
    }
}

/// A peripheral manager was used while Bluetooth cannot be used; CoreBluetooth would drop the command.
public struct PeripheralManagerNotPoweredOn: Error, LocalizedError, Hashable, Sendable {
    /// Why it cannot be used.
    public let state: ManagerState

    public init(state: ManagerState) { self.state = state }

    public var errorDescription: String? { "PeripheralManager is not powered on, but \(state)." }
}

/// Why a service could not be used.
public enum MutableServiceError: Error, LocalizedError, Hashable, Sendable {
    case unconfigured

    public var errorDescription: String? { "MutableService has no CBMutableService." }
}

/// Why a characteristic that is published here did not do what was asked.
public enum MutableCharacteristicError: Error, LocalizedError, Hashable, Sendable {
    case unconfigured
    case notSerializable
    case notifyNotSupported

    public var errorDescription: String? {
        switch self {
        case .unconfigured: "Characteristic needs to be added to a PeripheralManager."
        case .notSerializable: "Characteristic string value is not serializable."
        case .notifyNotSupported: "Characteristic notify property not enabled."
        }
    }
}
