internal import BluethroatHost
internal import BluethroatPhoneService

extension CBError {
    /// The error as apps are given it, with its sentence.
    init(told code: Code) { self.init(code, userInfo: [NSLocalizedDescriptionKey: code.message]) }
}

extension CBATTError {
    /// The error as apps are given it, with its sentence.
    init(told code: Code) { self.init(code, userInfo: [NSLocalizedDescriptionKey: code.message]) }
}

extension ServiceFault {
    /// Always one of the two structs: an `NSError` would not be recognised by `as? CBError` here.
    var error: any Error {
        switch self {
        case .local(let fault): CBError(told: CBError.Code(rawValue: fault.rawValue) ?? .unknown)
        case .att(let error): CBATTError(told: CBATTError.Code(rawValue: Int(error.rawValue)) ?? .unlikelyError)
        }
    }
}

extension CBErrorCode {
    fileprivate var message: String {
        switch rawValue {
        case 1: "One or more parameters were invalid."
        case 2: "The specified handle is invalid."
        case 3: "The specified device is not connected."
        case 4: "There is no space left for the operation."
        case 5: "The operation was cancelled."
        case 6: "The connection has timed out unexpectedly."
        case 7: "The specified device has disconnected from us."
        case 8: "The specified UUID is not allowed for this operation."
        case 9: "Advertising has already started."
        case 10: "The connection has failed unexpectedly."
        case 11: "The system has reached the maximum number of connections."
        case 12: "The specified device is unknown."
        case 13: "The operation is not supported."
        case 14: "Peer removed pairing information"
        case 15: "Failed to encrypt the connection, the connection has timed out unexpectedly."
        case 16: "There are too many paired devices."
        default: "Unknown error."
        }
    }
}

extension CBATTErrorCode {
    fileprivate var message: String {
        switch rawValue {
        case 0: "Success."
        case 1: "The handle is invalid."
        case 2: "Reading is not permitted."
        case 3: "Writing is not permitted."
        case 4: "The command is invalid."
        case 5: "Authentication is insufficient."
        case 6: "The request is not supported."
        case 7: "The offset is invalid."
        case 8: "Authorization is insufficient."
        case 9: "The prepare queue is full."
        case 10: "The attribute could not be found."
        case 11: "The attribute is not long."
        case 12: "The encryption key size is insufficient."
        case 13: "The value's length is invalid."
        case 14: "Unlikely error."
        case 15: "Encryption is insufficient."
        case 16: "The group type is unsupported."
        case 17: "Resources are insufficient."
        default: "Unknown ATT error."
        }
    }
}
