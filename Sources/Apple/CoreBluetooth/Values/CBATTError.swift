/// The domain of errors that an ATT server answers with.
public let CBATTErrorDomain: String = "CBATTErrorDomain"

/// An error that an ATT server answers with.
///
/// A struct around an `NSError`, as Swift has it on Apple's systems: `catch CBATTError.insufficientEncryption` and `as NSError` work.
public struct CBATTError: _BridgedStoredNSError, @unchecked Sendable {
    public typealias Code = CBATTErrorCode

    public let _nsError: NSError

    /// Takes an error of any domain, as Apple's does: apps ask so for the code of whatever they were handed.
    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { CBATTErrorDomain }
    public static var errorDomain: String { CBATTErrorDomain }

    /// Foundation's own would call itself without end here.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }

    public static var attributeNotFound: Code { .attributeNotFound }
    public static var attributeNotLong: Code { .attributeNotLong }
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    public static var insufficientEncryption: Code { .insufficientEncryption }
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    public static var insufficientResources: Code { .insufficientResources }
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    public static var invalidHandle: Code { .invalidHandle }
    public static var invalidOffset: Code { .invalidOffset }
    public static var invalidPdu: Code { .invalidPdu }
    public static var prepareQueueFull: Code { .prepareQueueFull }
    public static var readNotPermitted: Code { .readNotPermitted }
    public static var requestNotSupported: Code { .requestNotSupported }
    public static var success: Code { .success }
    public static var unlikelyError: Code { .unlikelyError }
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    public static var writeNotPermitted: Code { .writeNotPermitted }
}

extension CBATTErrorCode: _ErrorCodeProtocol {
    public typealias _ErrorType = CBATTError
}
