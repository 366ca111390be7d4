import BluethroatByteCoding

/// A controller's error or reason code. Core 6.0, Vol 1, Part F, 1.3. Codes not named here keep their number.
public struct ControllerError: RawRepresentable, Error, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let success = Self(rawValue: 0x00)
    public static let unknownCommand = Self(rawValue: 0x01)
    public static let unknownConnectionIdentifier = Self(rawValue: 0x02)
    public static let hardwareFailure = Self(rawValue: 0x03)
    public static let authenticationFailure = Self(rawValue: 0x05)
    public static let pinOrKeyMissing = Self(rawValue: 0x06)
    public static let memoryCapacityExceeded = Self(rawValue: 0x07)
    public static let connectionTimeout = Self(rawValue: 0x08)
    public static let connectionLimitExceeded = Self(rawValue: 0x09)
    public static let connectionAlreadyExists = Self(rawValue: 0x0B)
    public static let commandDisallowed = Self(rawValue: 0x0C)
    public static let connectionRejectedLimitedResources = Self(rawValue: 0x0D)
    public static let connectionRejectedSecurityReasons = Self(rawValue: 0x0E)
    public static let unsupportedFeatureOrParameterValue = Self(rawValue: 0x11)
    public static let invalidCommandParameters = Self(rawValue: 0x12)
    public static let remoteUserTerminatedConnection = Self(rawValue: 0x13)
    public static let remoteDeviceTerminatedLowResources = Self(rawValue: 0x14)
    public static let remoteDeviceTerminatedPowerOff = Self(rawValue: 0x15)
    public static let connectionTerminatedByLocalHost = Self(rawValue: 0x16)
    public static let repeatedAttempts = Self(rawValue: 0x17)
    public static let pairingNotAllowed = Self(rawValue: 0x18)
    public static let unsupportedRemoteFeature = Self(rawValue: 0x1A)
    public static let invalidLinkLayerParameters = Self(rawValue: 0x1E)
    public static let unspecifiedError = Self(rawValue: 0x1F)
    public static let unsupportedLinkLayerParameterValue = Self(rawValue: 0x20)
    public static let linkLayerResponseTimeout = Self(rawValue: 0x22)
    public static let linkLayerProcedureCollision = Self(rawValue: 0x23)
    public static let instantPassed = Self(rawValue: 0x28)
    public static let pairingWithUnitKeyNotSupported = Self(rawValue: 0x29)
    public static let differentTransactionCollision = Self(rawValue: 0x2A)
    public static let insufficientSecurity = Self(rawValue: 0x2F)
    public static let parameterOutOfMandatoryRange = Self(rawValue: 0x30)
    public static let controllerBusy = Self(rawValue: 0x3A)
    public static let unacceptableConnectionParameters = Self(rawValue: 0x3B)
    public static let advertisingTimeout = Self(rawValue: 0x3C)
    public static let connectionTerminatedMICFailure = Self(rawValue: 0x3D)
    public static let connectionFailedToBeEstablished = Self(rawValue: 0x3E)
    public static let unknownAdvertisingIdentifier = Self(rawValue: 0x42)
    public static let limitReached = Self(rawValue: 0x43)
    public static let operationCancelledByHost = Self(rawValue: 0x44)
}

extension ControllerError: CustomStringConvertible {
    /// The name in words, or the number where it has none: `connection timeout`, `error 0x99`.
    public var description: String {
        switch self {
        case .success: "success"
        case .unknownCommand: "unknown HCI command"
        case .unknownConnectionIdentifier: "unknown connection identifier"
        case .hardwareFailure: "hardware failure"
        case .authenticationFailure: "authentication failure"
        case .pinOrKeyMissing: "PIN or key missing"
        case .memoryCapacityExceeded: "memory capacity exceeded"
        case .connectionTimeout: "connection timeout"
        case .connectionLimitExceeded: "connection limit exceeded"
        case .connectionAlreadyExists: "connection already exists"
        case .commandDisallowed: "command disallowed"
        case .connectionRejectedLimitedResources: "connection rejected due to limited resources"
        case .connectionRejectedSecurityReasons: "connection rejected for security reasons"
        case .unsupportedFeatureOrParameterValue: "unsupported feature or parameter value"
        case .invalidCommandParameters: "invalid HCI command parameters"
        case .remoteUserTerminatedConnection: "remote user terminated connection"
        case .remoteDeviceTerminatedLowResources: "remote device terminated connection due to low resources"
        case .remoteDeviceTerminatedPowerOff: "remote device terminated connection due to power off"
        case .connectionTerminatedByLocalHost: "connection terminated by local host"
        case .repeatedAttempts: "repeated attempts"
        case .pairingNotAllowed: "pairing not allowed"
        case .unsupportedRemoteFeature: "unsupported remote feature"
        case .invalidLinkLayerParameters: "invalid LL parameters"
        case .unspecifiedError: "unspecified error"
        case .unsupportedLinkLayerParameterValue: "unsupported LL parameter value"
        case .linkLayerResponseTimeout: "LL response timeout"
        case .linkLayerProcedureCollision: "LL procedure collision"
        case .instantPassed: "instant passed"
        case .pairingWithUnitKeyNotSupported: "pairing with unit key not supported"
        case .differentTransactionCollision: "different transaction collision"
        case .insufficientSecurity: "insufficient security"
        case .parameterOutOfMandatoryRange: "parameter out of mandatory range"
        case .controllerBusy: "controller busy"
        case .unacceptableConnectionParameters: "unacceptable connection parameters"
        case .advertisingTimeout: "advertising timeout"
        case .connectionTerminatedMICFailure: "connection terminated due to MIC failure"
        case .connectionFailedToBeEstablished: "connection failed to be established"
        case .unknownAdvertisingIdentifier: "unknown advertising identifier"
        case .limitReached: "limit reached"
        case .operationCancelledByHost: "operation cancelled by host"
        default: "error 0x" + [rawValue].hex
        }
    }
}

extension ControllerError {
    /// The name as programs know it, in lower camel case: `connectionTimeout`; `error0x99` where there is none.
    public var name: String {
        switch self {
        case .success: "success"
        case .unknownCommand: "unknownCommand"
        case .unknownConnectionIdentifier: "unknownConnectionIdentifier"
        case .hardwareFailure: "hardwareFailure"
        case .authenticationFailure: "authenticationFailure"
        case .pinOrKeyMissing: "pinOrKeyMissing"
        case .memoryCapacityExceeded: "memoryCapacityExceeded"
        case .connectionTimeout: "connectionTimeout"
        case .connectionLimitExceeded: "connectionLimitExceeded"
        case .connectionAlreadyExists: "connectionAlreadyExists"
        case .commandDisallowed: "commandDisallowed"
        case .connectionRejectedLimitedResources: "connectionRejectedLimitedResources"
        case .connectionRejectedSecurityReasons: "connectionRejectedSecurityReasons"
        case .unsupportedFeatureOrParameterValue: "unsupportedFeatureOrParameterValue"
        case .invalidCommandParameters: "invalidCommandParameters"
        case .remoteUserTerminatedConnection: "remoteUserTerminatedConnection"
        case .remoteDeviceTerminatedLowResources: "remoteDeviceTerminatedLowResources"
        case .remoteDeviceTerminatedPowerOff: "remoteDeviceTerminatedPowerOff"
        case .connectionTerminatedByLocalHost: "connectionTerminatedByLocalHost"
        case .repeatedAttempts: "repeatedAttempts"
        case .pairingNotAllowed: "pairingNotAllowed"
        case .unsupportedRemoteFeature: "unsupportedRemoteFeature"
        case .invalidLinkLayerParameters: "invalidLinkLayerParameters"
        case .unspecifiedError: "unspecifiedError"
        case .unsupportedLinkLayerParameterValue: "unsupportedLinkLayerParameterValue"
        case .linkLayerResponseTimeout: "linkLayerResponseTimeout"
        case .linkLayerProcedureCollision: "linkLayerProcedureCollision"
        case .instantPassed: "instantPassed"
        case .pairingWithUnitKeyNotSupported: "pairingWithUnitKeyNotSupported"
        case .differentTransactionCollision: "differentTransactionCollision"
        case .insufficientSecurity: "insufficientSecurity"
        case .parameterOutOfMandatoryRange: "parameterOutOfMandatoryRange"
        case .controllerBusy: "controllerBusy"
        case .unacceptableConnectionParameters: "unacceptableConnectionParameters"
        case .advertisingTimeout: "advertisingTimeout"
        case .connectionTerminatedMICFailure: "connectionTerminatedMICFailure"
        case .connectionFailedToBeEstablished: "connectionFailedToBeEstablished"
        case .unknownAdvertisingIdentifier: "unknownAdvertisingIdentifier"
        case .limitReached: "limitReached"
        case .operationCancelledByHost: "operationCancelledByHost"
        default: "error0x" + [rawValue].hex
        }
    }
}
