/// The domain of errors of the link and of the phone.
public let CBErrorDomain: String = "CBErrorDomain"

/// An error of the link or of the phone.
///
/// A struct around an `NSError`, as Swift has it on Apple's systems: `catch CBError.connectionTimeout` and `as NSError` work.
public struct CBError: _BridgedStoredNSError, @unchecked Sendable {
    public typealias Code = CBErrorCode

    public let _nsError: NSError

    /// Takes an error of any domain, as Apple's does: apps ask so for the code of whatever they were handed.
    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { CBErrorDomain }
    public static var errorDomain: String { CBErrorDomain }

    /// Foundation's own would call itself without end here.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }

    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    public static var channelSoundingConfigurationFailed: Code { .channelSoundingConfigurationFailed }
    public static var channelSoundingProcedureFailed: Code { .channelSoundingProcedureFailed }
    public static var connectionFailed: Code { .connectionFailed }
    public static var connectionLimitReached: Code { .connectionLimitReached }
    public static var connectionTimeout: Code { .connectionTimeout }
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    public static var invalidHandle: Code { .invalidHandle }
    public static var invalidParameters: Code { .invalidParameters }
    public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
    public static var notConnected: Code { .notConnected }
    public static var operationCancelled: Code { .operationCancelled }
    public static var operationNotSupported: Code { .operationNotSupported }
    public static var outOfSpace: Code { .outOfSpace }
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    public static var unknown: Code { .unknown }
    public static var unknownDevice: Code { .unknownDevice }
    @available(*, deprecated, message: "Use unknownDevice instead")
    public static var unkownDevice: Code { .unkownDevice }
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
}

extension CBErrorCode: _ErrorCodeProtocol {
    public typealias _ErrorType = CBError
}

extension CBErrorCode {
    /// No device with this identifier is known.
    public static var unknownDevice: CBErrorCode { Self(rawValue: 12).unsafelyUnwrapped }
}
