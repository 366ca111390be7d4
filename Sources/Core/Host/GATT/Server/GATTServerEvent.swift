public import BluethroatBluetoothValues

/// Events from the GATT server for the application.
public enum GATTServerEvent: Hashable, Sendable {
    /// A client reads a value that the application has; `Host.respond` answers, at once or any time later. The answer
    /// is the value from `offset` on, and the server cuts it to what fits.
    case readRequested(RequestID, ConnectionID, AttributeHandle, offset: Int)
    /// A client writes values that the application decides about. All of them are to be taken, or none.
    case writeRequested(RequestID, ConnectionID, [AttributeWrite], WriteKind)
    /// A client has written a value that the database keeps; here is all of the new value.
    case valueWritten(ConnectionID, AttributeHandle, [UInt8])
    /// A client has turned notifications or indications of a characteristic, named by its value's handle, on or off.
    case subscriptionChanged(ConnectionID, AttributeHandle, Subscription)
    /// A client has confirmed an indication.
    case indicationConfirmed(ConnectionID, AttributeHandle)
}

/// Names one request to the application.
public struct RequestID: Hashable, Sendable {
    public let connection: ConnectionID
    let number: UInt32

    init(connection: ConnectionID, number: UInt32) {
        self.connection = connection
        self.number = number
    }
}

/// A value, or a part of one, that a client asks to write.
public struct AttributeWrite: Hashable, Sendable {
    public var handle: AttributeHandle
    public var offset: Int
    public var value: [UInt8]

    public init(handle: AttributeHandle, offset: Int = 0, value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }
}

/// By which ATT method a client writes.
public enum WriteKind: Hashable, Sendable {
    /// A Write Request: one value, and the client waits for the answer.
    case request
    /// A Write Command: one value, and any answer is dropped.
    case command
    /// An Execute Write Request: all that was prepared, in the order in which it came; the client waits.
    case prepared

    /// Whether the client waits for an answer.
    public var wantsResponse: Bool { self != .command }
}

/// How the application answers a request.
public enum RequestAnswer: Hashable, Sendable {
    /// The value that was to be read, from the requested offset on; of more than 512 bytes the first 512.
    case value([UInt8])
    /// What was to be written is written.
    case written
    /// Refused. The handle names the culprit among several prepared writes; nil is the first of them.
    case refused(ATTError, AttributeHandle? = nil)
}
