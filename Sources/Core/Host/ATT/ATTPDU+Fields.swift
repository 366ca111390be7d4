public import BluethroatBluetoothValues
public import BluethroatByteCoding

extension ATTPDU {
    /// The PDUs by their opcode, without it. Core 6.0, Vol 3, Part F, 3.4.
    public static let descriptions: [PacketDescription] = [
        description(.errorResponse, "ATT_ERROR_RSP", ErrorResponse.fieldDescriptions),
        description(.exchangeMTURequest, "ATT_EXCHANGE_MTU_REQ", ExchangeMTURequest.fieldDescriptions),
        description(.exchangeMTUResponse, "ATT_EXCHANGE_MTU_RSP", ExchangeMTUResponse.fieldDescriptions),
        description(.findInformationRequest, "ATT_FIND_INFORMATION_REQ", FindInformationRequest.fieldDescriptions),
        description(.findInformationResponse, "ATT_FIND_INFORMATION_RSP", FindInformationResponse.fieldDescriptions),
        description(.findByTypeValueRequest, "ATT_FIND_BY_TYPE_VALUE_REQ", FindByTypeValueRequest.fieldDescriptions),
        description(.findByTypeValueResponse, "ATT_FIND_BY_TYPE_VALUE_RSP", FindByTypeValueResponse.fieldDescriptions),
        description(.readByTypeRequest, "ATT_READ_BY_TYPE_REQ", ReadByTypeRequest.fieldDescriptions),
        description(.readByTypeResponse, "ATT_READ_BY_TYPE_RSP", ReadByTypeResponse.fieldDescriptions),
        description(.readRequest, "ATT_READ_REQ", ReadRequest.fieldDescriptions),
        description(.readResponse, "ATT_READ_RSP", ReadResponse.fieldDescriptions),
        description(.readBlobRequest, "ATT_READ_BLOB_REQ", ReadBlobRequest.fieldDescriptions),
        description(.readBlobResponse, "ATT_READ_BLOB_RSP", ReadBlobResponse.fieldDescriptions),
        description(.readMultipleRequest, "ATT_READ_MULTIPLE_REQ", ReadMultipleRequest.fieldDescriptions),
        description(.readMultipleResponse, "ATT_READ_MULTIPLE_RSP", ReadMultipleResponse.fieldDescriptions),
        description(.readByGroupTypeRequest, "ATT_READ_BY_GROUP_TYPE_REQ", ReadByGroupTypeRequest.fieldDescriptions),
        description(.readByGroupTypeResponse, "ATT_READ_BY_GROUP_TYPE_RSP", ReadByGroupTypeResponse.fieldDescriptions),
        description(.writeRequest, "ATT_WRITE_REQ", WriteRequest.fieldDescriptions),
        description(.writeResponse, "ATT_WRITE_RSP"),
        description(.prepareWriteRequest, "ATT_PREPARE_WRITE_REQ", PreparedWrite.fieldDescriptions),
        description(.prepareWriteResponse, "ATT_PREPARE_WRITE_RSP", PreparedWrite.fieldDescriptions),
        description(.executeWriteRequest, "ATT_EXECUTE_WRITE_REQ", ExecuteWriteRequest.fieldDescriptions),
        description(.executeWriteResponse, "ATT_EXECUTE_WRITE_RSP"),
        description(.handleValueNotification, "ATT_HANDLE_VALUE_NTF", HandleValueNotification.fieldDescriptions),
        description(.handleValueIndication, "ATT_HANDLE_VALUE_IND", HandleValueIndication.fieldDescriptions),
        description(.handleValueConfirmation, "ATT_HANDLE_VALUE_CFM"),
        description(
            .readMultipleVariableRequest,
            "ATT_READ_MULTIPLE_VARIABLE_REQ",
            ReadMultipleVariableRequest.fieldDescriptions
        ),
        description(
            .readMultipleVariableResponse,
            "ATT_READ_MULTIPLE_VARIABLE_RSP",
            ReadMultipleVariableResponse.fieldDescriptions
        ),
        description(
            .multipleHandleValueNotification,
            "ATT_MULTIPLE_HANDLE_VALUE_NTF",
            MultipleHandleValueNotification.fieldDescriptions
        ),
        description(.writeCommand, "ATT_WRITE_CMD", WriteCommand.fieldDescriptions),
        description(.signedWriteCommand, "ATT_SIGNED_WRITE_CMD", SignedWriteCommand.fieldDescriptions),
    ]

    private static func description(
        _ opcode: ATTOpcode,
        _ name: String,
        _ fields: [FieldDescription] = []
    ) -> PacketDescription {
        PacketDescription(opcode.rawValue, name, fields)
    }
}

extension ATTOpcode: FieldConvertible {
    public static func fieldMeaning(_ value: FieldValue) -> String? {
        ATTPDU.descriptions.first { value == .unsigned(UInt64($0.code)) }?.name
    }
}

extension ATTError: FieldConvertible {}
extension ExecuteWriteRequest.Choice: FieldConvertible {}

/// A UUID in a PDU is what is left of it: 2 or 16 octets.
extension BluetoothUUID: FieldConvertible {
    public static var fieldShape: FieldShape { .bytes(.rest) }

    public var fieldValue: FieldValue {
        var bytes: [UInt8] = []
        writeForATT(to: &bytes)
        return .bytes(bytes)
    }
}
