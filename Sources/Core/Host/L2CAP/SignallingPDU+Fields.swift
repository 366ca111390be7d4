public import BluethroatByteCoding

extension SignallingPDU {
    /// The data of the commands by their code, without the header. Core 6.0, Vol 3, Part A, 4.
    static let descriptions: [PacketDescription] = [
        PacketDescription(CommandReject.code, "L2CAP_COMMAND_REJECT_RSP", CommandReject.self),
        PacketDescription(
            ParameterUpdateRequest.code,
            "L2CAP_CONNECTION_PARAMETER_UPDATE_REQ",
            ParameterUpdateRequest.self
        ),
        PacketDescription(
            ParameterUpdateResponse.code,
            "L2CAP_CONNECTION_PARAMETER_UPDATE_RSP",
            ParameterUpdateResponse.self
        ),
        PacketDescription(ChannelEnds.requestCode, "L2CAP_DISCONNECTION_REQ", ChannelEnds.self),
        PacketDescription(ChannelEnds.responseCode, "L2CAP_DISCONNECTION_RSP", ChannelEnds.self),
        PacketDescription(
            CreditBasedConnectionRequest.code,
            "L2CAP_LE_CREDIT_BASED_CONNECTION_REQ",
            CreditBasedConnectionRequest.self
        ),
        PacketDescription(
            CreditBasedConnectionResponse.code,
            "L2CAP_LE_CREDIT_BASED_CONNECTION_RSP",
            CreditBasedConnectionResponse.self
        ),
        PacketDescription(FlowControlCredit.code, "L2CAP_FLOW_CONTROL_CREDIT_IND", FlowControlCredit.self),
        PacketDescription(
            EnhancedConnectionRequest.code,
            "L2CAP_CREDIT_BASED_CONNECTION_REQ",
            EnhancedConnectionRequest.self
        ),
        PacketDescription(
            EnhancedConnectionResponse.code,
            "L2CAP_CREDIT_BASED_CONNECTION_RSP",
            EnhancedConnectionResponse.self
        ),
        PacketDescription(ReconfigureRequest.code, "L2CAP_CREDIT_BASED_RECONFIGURE_REQ", ReconfigureRequest.self),
        PacketDescription(ReconfigureResponse.code, "L2CAP_CREDIT_BASED_RECONFIGURE_RSP", ReconfigureResponse.self),
    ]
}

/// The signalling channel of LE connections, as a dissector sees it. Core 6.0, Vol 3, Part A, 4.
public enum L2CAPSignalling {
    /// The data of the commands by their code, without the header.
    public static var descriptions: [PacketDescription] { SignallingPDU.descriptions }

    /// What stands before the data of every command.
    public static let header: [FieldDescription] = [
        FieldDescription("Code", UInt8.self),
        FieldDescription("Identifier", UInt8.self),
        FieldDescription("Data Length", UInt16.self, unit: .octets),
    ]
}
