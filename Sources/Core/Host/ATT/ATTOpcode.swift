/// What an ATT PDU is: its first byte. Core 6.0, Vol 3, Part F, 3.3.1 and 3.4.8.
public struct ATTOpcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let errorResponse = Self(rawValue: 0x01)
    public static let exchangeMTURequest = Self(rawValue: 0x02)
    public static let exchangeMTUResponse = Self(rawValue: 0x03)
    public static let findInformationRequest = Self(rawValue: 0x04)
    public static let findInformationResponse = Self(rawValue: 0x05)
    public static let findByTypeValueRequest = Self(rawValue: 0x06)
    public static let findByTypeValueResponse = Self(rawValue: 0x07)
    public static let readByTypeRequest = Self(rawValue: 0x08)
    public static let readByTypeResponse = Self(rawValue: 0x09)
    public static let readRequest = Self(rawValue: 0x0A)
    public static let readResponse = Self(rawValue: 0x0B)
    public static let readBlobRequest = Self(rawValue: 0x0C)
    public static let readBlobResponse = Self(rawValue: 0x0D)
    public static let readMultipleRequest = Self(rawValue: 0x0E)
    public static let readMultipleResponse = Self(rawValue: 0x0F)
    public static let readByGroupTypeRequest = Self(rawValue: 0x10)
    public static let readByGroupTypeResponse = Self(rawValue: 0x11)
    public static let writeRequest = Self(rawValue: 0x12)
    public static let writeResponse = Self(rawValue: 0x13)
    public static let prepareWriteRequest = Self(rawValue: 0x16)
    public static let prepareWriteResponse = Self(rawValue: 0x17)
    public static let executeWriteRequest = Self(rawValue: 0x18)
    public static let executeWriteResponse = Self(rawValue: 0x19)
    public static let handleValueNotification = Self(rawValue: 0x1B)
    public static let handleValueIndication = Self(rawValue: 0x1D)
    public static let handleValueConfirmation = Self(rawValue: 0x1E)
    public static let readMultipleVariableRequest = Self(rawValue: 0x20)
    public static let readMultipleVariableResponse = Self(rawValue: 0x21)
    public static let multipleHandleValueNotification = Self(rawValue: 0x23)
    public static let writeCommand = Self(rawValue: 0x52)
    public static let signedWriteCommand = Self(rawValue: 0xD2)

    /// The Command Flag: such a PDU is not answered, and one that is not understood is ignored.
    @inlinable
    public var isCommand: Bool { rawValue & 0x40 != 0 }

    /// One of the responses to requests, a refusal included.
    public var isResponse: Bool {
        switch self {
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse,
            .readByTypeResponse, .readResponse, .readBlobResponse, .readMultipleResponse, .readByGroupTypeResponse,
            .writeResponse, .prepareWriteResponse, .executeWriteResponse, .readMultipleVariableResponse:
            true
        default: false
        }
    }

    /// Something that a server has to answer: a request it knows, or one that it does not.
    public var isRequest: Bool {
        switch self {
        case .handleValueNotification, .handleValueIndication, .handleValueConfirmation,
            .multipleHandleValueNotification:
            false
        default: !isCommand && !isResponse
        }
    }
}

extension ATTOpcode: CustomStringConvertible {
    /// `0x0A`
    public var description: String {
        "0x" + (rawValue < 0x10 ? "0" : "") + String(rawValue, radix: 16, uppercase: true)
    }
}
