public import BluethroatByteCoding

/// Everything that two devices say to each other on the Attribute Protocol. Core 6.0, Vol 3, Part F, 3.4.
///
/// Handles are kept as they came, 0x0000 included, since a server has its own error for that one.
public enum ATTPDU: Hashable, Sendable {
    case errorResponse(ErrorResponse)
    case exchangeMTURequest(ExchangeMTURequest)
    case exchangeMTUResponse(ExchangeMTUResponse)
    case findInformationRequest(FindInformationRequest)
    case findInformationResponse(FindInformationResponse)
    case findByTypeValueRequest(FindByTypeValueRequest)
    case findByTypeValueResponse(FindByTypeValueResponse)
    case readByTypeRequest(ReadByTypeRequest)
    case readByTypeResponse(ReadByTypeResponse)
    case readRequest(ReadRequest)
    case readResponse(ReadResponse)
    case readBlobRequest(ReadBlobRequest)
    case readBlobResponse(ReadBlobResponse)
    case readMultipleRequest(ReadMultipleRequest)
    case readMultipleResponse(ReadMultipleResponse)
    case readByGroupTypeRequest(ReadByGroupTypeRequest)
    case readByGroupTypeResponse(ReadByGroupTypeResponse)
    case writeRequest(WriteRequest)
    case writeResponse
    case prepareWriteRequest(PreparedWrite)
    case prepareWriteResponse(PreparedWrite)
    case executeWriteRequest(ExecuteWriteRequest)
    case executeWriteResponse
    case handleValueNotification(HandleValueNotification)
    case handleValueIndication(HandleValueIndication)
    case handleValueConfirmation
    case readMultipleVariableRequest(ReadMultipleVariableRequest)
    case readMultipleVariableResponse(ReadMultipleVariableResponse)
    case multipleHandleValueNotification(MultipleHandleValueNotification)
    case writeCommand(WriteCommand)
    case signedWriteCommand(SignedWriteCommand)
    /// A PDU of a later edition of the specification, or of none.
    case unknown(ATTOpcode, parameters: [UInt8])

    /// All bytes of a PDU, the opcode first.
    public init(parsing pdu: RawSpan) throws(DecodeError) {
        var bytes = pdu
        let opcode = ATTOpcode(rawValue: try bytes.takeUInt8())
        switch opcode {
        case .errorResponse: self = .errorResponse(try ErrorResponse(parsing: &bytes))
        case .exchangeMTURequest: self = .exchangeMTURequest(try ExchangeMTURequest(parsing: &bytes))
        case .exchangeMTUResponse: self = .exchangeMTUResponse(try ExchangeMTUResponse(parsing: &bytes))
        case .findInformationRequest: self = .findInformationRequest(try FindInformationRequest(parsing: &bytes))
        case .findInformationResponse: self = .findInformationResponse(try FindInformationResponse(parsing: &bytes))
        case .findByTypeValueRequest: self = .findByTypeValueRequest(try FindByTypeValueRequest(parsing: &bytes))
        case .findByTypeValueResponse: self = .findByTypeValueResponse(try FindByTypeValueResponse(parsing: &bytes))
        case .readByTypeRequest: self = .readByTypeRequest(try ReadByTypeRequest(parsing: &bytes))
        case .readByTypeResponse: self = .readByTypeResponse(try ReadByTypeResponse(parsing: &bytes))
        case .readRequest: self = .readRequest(try ReadRequest(parsing: &bytes))
        case .readResponse: self = .readResponse(try ReadResponse(parsing: &bytes))
        case .readBlobRequest: self = .readBlobRequest(try ReadBlobRequest(parsing: &bytes))
        case .readBlobResponse: self = .readBlobResponse(try ReadBlobResponse(parsing: &bytes))
        case .readMultipleRequest: self = .readMultipleRequest(try ReadMultipleRequest(parsing: &bytes))
        case .readMultipleResponse: self = .readMultipleResponse(try ReadMultipleResponse(parsing: &bytes))
        case .readByGroupTypeRequest: self = .readByGroupTypeRequest(try ReadByGroupTypeRequest(parsing: &bytes))
        case .readByGroupTypeResponse: self = .readByGroupTypeResponse(try ReadByGroupTypeResponse(parsing: &bytes))
        case .writeRequest: self = .writeRequest(try WriteRequest(parsing: &bytes))
        case .writeResponse: self = .writeResponse
        case .prepareWriteRequest: self = .prepareWriteRequest(try PreparedWrite(parsing: &bytes))
        case .prepareWriteResponse: self = .prepareWriteResponse(try PreparedWrite(parsing: &bytes))
        case .executeWriteRequest: self = .executeWriteRequest(try ExecuteWriteRequest(parsing: &bytes))
        case .executeWriteResponse: self = .executeWriteResponse
        case .handleValueNotification: self = .handleValueNotification(try HandleValueNotification(parsing: &bytes))
        case .handleValueIndication: self = .handleValueIndication(try HandleValueIndication(parsing: &bytes))
        case .handleValueConfirmation: self = .handleValueConfirmation
        case .readMultipleVariableRequest:
            self = .readMultipleVariableRequest(try ReadMultipleVariableRequest(parsing: &bytes))
        case .readMultipleVariableResponse:
            self = .readMultipleVariableResponse(try ReadMultipleVariableResponse(parsing: &bytes))
        case .multipleHandleValueNotification:
            self = .multipleHandleValueNotification(try MultipleHandleValueNotification(parsing: &bytes))
        case .writeCommand: self = .writeCommand(try WriteCommand(parsing: &bytes))
        case .signedWriteCommand: self = .signedWriteCommand(try SignedWriteCommand(parsing: &bytes))
        default: self = .unknown(opcode, parameters: bytes.takeRest())
        }
        try bytes.expectEnd()
    }

    public var opcode: ATTOpcode {
        switch self {
        case .errorResponse: .errorResponse
        case .exchangeMTURequest: .exchangeMTURequest
        case .exchangeMTUResponse: .exchangeMTUResponse
        case .findInformationRequest: .findInformationRequest
        case .findInformationResponse: .findInformationResponse
        case .findByTypeValueRequest: .findByTypeValueRequest
        case .findByTypeValueResponse: .findByTypeValueResponse
        case .readByTypeRequest: .readByTypeRequest
        case .readByTypeResponse: .readByTypeResponse
        case .readRequest: .readRequest
        case .readResponse: .readResponse
        case .readBlobRequest: .readBlobRequest
        case .readBlobResponse: .readBlobResponse
        case .readMultipleRequest: .readMultipleRequest
        case .readMultipleResponse: .readMultipleResponse
        case .readByGroupTypeRequest: .readByGroupTypeRequest
        case .readByGroupTypeResponse: .readByGroupTypeResponse
        case .writeRequest: .writeRequest
        case .writeResponse: .writeResponse
        case .prepareWriteRequest: .prepareWriteRequest
        case .prepareWriteResponse: .prepareWriteResponse
        case .executeWriteRequest: .executeWriteRequest
        case .executeWriteResponse: .executeWriteResponse
        case .handleValueNotification: .handleValueNotification
        case .handleValueIndication: .handleValueIndication
        case .handleValueConfirmation: .handleValueConfirmation
        case .readMultipleVariableRequest: .readMultipleVariableRequest
        case .readMultipleVariableResponse: .readMultipleVariableResponse
        case .multipleHandleValueNotification: .multipleHandleValueNotification
        case .writeCommand: .writeCommand
        case .signedWriteCommand: .signedWriteCommand
        case .unknown(let opcode, _): opcode
        }
    }

    /// Appends the opcode and the parameters.
    public func write(to out: inout [UInt8]) {
        out.appendUInt8(opcode.rawValue)
        switch self {
        case .errorResponse(let pdu): pdu.write(to: &out)
        case .exchangeMTURequest(let pdu): pdu.write(to: &out)
        case .exchangeMTUResponse(let pdu): pdu.write(to: &out)
        case .findInformationRequest(let pdu): pdu.write(to: &out)
        case .findInformationResponse(let pdu): pdu.write(to: &out)
        case .findByTypeValueRequest(let pdu): pdu.write(to: &out)
        case .findByTypeValueResponse(let pdu): pdu.write(to: &out)
        case .readByTypeRequest(let pdu): pdu.write(to: &out)
        case .readByTypeResponse(let pdu): pdu.write(to: &out)
        case .readRequest(let pdu): pdu.write(to: &out)
        case .readResponse(let pdu): pdu.write(to: &out)
        case .readBlobRequest(let pdu): pdu.write(to: &out)
        case .readBlobResponse(let pdu): pdu.write(to: &out)
        case .readMultipleRequest(let pdu): pdu.write(to: &out)
        case .readMultipleResponse(let pdu): pdu.write(to: &out)
        case .readByGroupTypeRequest(let pdu): pdu.write(to: &out)
        case .readByGroupTypeResponse(let pdu): pdu.write(to: &out)
        case .writeRequest(let pdu): pdu.write(to: &out)
        case .prepareWriteRequest(let pdu), .prepareWriteResponse(let pdu): pdu.write(to: &out)
        case .executeWriteRequest(let pdu): pdu.write(to: &out)
        case .handleValueNotification(let pdu): pdu.write(to: &out)
        case .handleValueIndication(let pdu): pdu.write(to: &out)
        case .readMultipleVariableRequest(let pdu): pdu.write(to: &out)
        case .readMultipleVariableResponse(let pdu): pdu.write(to: &out)
        case .multipleHandleValueNotification(let pdu): pdu.write(to: &out)
        case .writeCommand(let pdu): pdu.write(to: &out)
        case .signedWriteCommand(let pdu): pdu.write(to: &out)
        case .unknown(_, let parameters): out.append(contentsOf: parameters)
        case .writeResponse, .executeWriteResponse, .handleValueConfirmation: break
        }
    }

    /// The PDU's bytes, opcode first.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }
}
