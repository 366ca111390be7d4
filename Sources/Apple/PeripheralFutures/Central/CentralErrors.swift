public import Foundation

// The texts are those that code written for this API may know, misspelled ones included.

/// Why a central manager did not do what was asked.
public enum CentralManagerError: Error, LocalizedError, Hashable, Sendable {
    case isScanning
    case isPoweredOff
    case restoreFailed
    case serviceScanTimeout
    case invalidPeripheral

    public var errorDescription: String? {
        switch self {
        case .isScanning: "CentralManager is scanning."
        case .isPoweredOff: "CentralManager is powered off."
        case .restoreFailed: "CentralManager state resoration failed."
        case .serviceScanTimeout: "Service scan timeout."
        case .invalidPeripheral: "A CBPeripheral was discovered with conflictig UUID."
        }
    }
}

/// Why a peripheral cannot be used.
public enum PeripheralError: Error, LocalizedError, Hashable, Sendable {
    case disconnected
    case forcedDisconnect
    case connectionTimeout
    case serviceDiscoveryTimeout

    public var errorDescription: String? {
        switch self {
        case .disconnected: "Peripheral disconnected."
        case .forcedDisconnect: "Peripheral disconnect called."
        case .connectionTimeout: "Peripheral connection timeout."
        case .serviceDiscoveryTimeout: "Service discovery timeout."
        }
    }
}

/// Why a peripheral's service cannot be used.
public enum ServiceError: Error, LocalizedError, Hashable, Sendable {
    case characteristicDiscoveryTimeout
    case unconfigured

    public var errorDescription: String? {
        switch self {
        case .characteristicDiscoveryTimeout: "Characteristic discovery timeout."
        case .unconfigured: "Service has no associated Peripheral."
        }
    }
}

/// Why a peripheral's characteristic did not do what was asked.
public enum CharacteristicError: Error, LocalizedError, Hashable, Sendable {
    case readTimeout
    case writeTimeout
    case notSerializable
    case readNotSupported
    case writeNotSupported
    case notifyNotSupported
    case unconfigured

    public var errorDescription: String? {
        switch self {
        case .readTimeout: "Characteristic read timeout."
        case .writeTimeout: "Characteristic write timeout."
        case .notSerializable: "Characteristic string value is not serailizable."
        case .readNotSupported: "Characteristic read property not enabled."
        case .writeNotSupported: "Characteristic write property not enabled."
        case .notifyNotSupported: "Characteristic notify property not enabled."
        case .unconfigured: "Characteristic needs to be added to a PeripheralManager."
        }
    }
}
