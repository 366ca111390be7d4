public import BluethroatBluetoothValues

/// Events from the GATT client for the application.
public enum GATTClientEvent: Hashable, Sendable {
    /// A procedure is over. Each ends with exactly one of these.
    case procedureCompleted(ProcedureID, ConnectionID, ProcedureResult)
    /// The server has sent a value by itself. Indications have been confirmed already.
    case notificationReceived(ConnectionID, AttributeHandle, [UInt8], isIndication: Bool)
    /// The server sent a PDU that was not asked for, or that cannot be decoded; it was ignored.
    case unexpectedPDU(ConnectionID, ATTOpcode)
}

/// Names one procedure of a host's GATT client.
public struct ProcedureID: Hashable, Sendable {
    public let number: UInt64

    init(number: UInt64) { self.number = number }
}

/// What came of a procedure.
public enum ProcedureResult: Hashable, Sendable {
    /// The longest PDU of the connection, in bytes.
    case mtu(Int)
    case services([RemoteService])
    case includes([RemoteInclude])
    case characteristics([RemoteCharacteristic])
    case descriptors([RemoteDescriptor])
    case database(RemoteDatabase)
    case value([UInt8])
    /// The values of several attributes with their handles.
    case values([HandleValue])
    /// Written, and the server has said so.
    case written
    case failed(ProcedureError)
}

/// Why a procedure failed.
public enum ProcedureError: Error, Hashable, Sendable {
    /// The server refused a request, naming an attribute, or 0x0000 for none.
    case refused(ATTError, request: ATTOpcode, handle: UInt16)
    /// The server's answer cannot be understood.
    case malformedResponse(ATTOpcode)
    /// The server's answer can be understood and contradicts the request: handles outside the range or not rising,
    /// for example.
    case contradictoryResponse(ATTOpcode)
    /// A reliable write was not repeated faithfully; nothing has been written.
    case echoMismatch(handle: AttributeHandle)
    /// What the server sends has no end that the specification allows.
    case tooLong
    /// No answer within 30 s; the connection's ATT bearer is closed.
    case timedOut
    /// The connection is gone.
    case disconnected
}
