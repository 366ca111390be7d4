public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Advertising Set Terminated: an advertising set has ended by itself. Core 6.0, Vol 4, Part E, 7.7.65.18.
public struct LEAdvertisingSetTerminated: HCIEvent {
    public static var identifier: EventIdentifier { .leAdvertisingSetTerminated }
    public static var name: String { "LE Advertising Set Terminated" }
    public var event: Event { .leAdvertisingSetTerminated(self) }

    /// Success if a connection came of it, else why it ended.
    public var status: ControllerError
    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Which connection.
    public var connection: ConnectionHandle
    /// Advertising events sent, where that was limited.
    public var completedEvents: UInt8

    public init(status: ControllerError, advertisingHandle: UInt8, connection: ConnectionHandle, completedEvents: UInt8)
    {
        self.status = status
        self.advertisingHandle = advertisingHandle
        self.connection = connection
        self.completedEvents = completedEvents
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        advertisingHandle = try bytes.takeUInt8()
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        completedEvents = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(advertisingHandle)
        connection.write(to: &out)
        out.appendUInt8(completedEvents)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Advertising_Handle", \.advertisingHandle),
            Field("Connection_Handle", \.connection),
            Field("Num_Completed_Extended_Advertising_Events", \.completedEvents),
        ]
    }
}

extension EventIdentifier {
    /// LE Advertising Set Terminated.
    public static let leAdvertisingSetTerminated = Self(le: .advertisingSetTerminated)
}

extension LESubeventCode {
    public static let advertisingSetTerminated = Self(rawValue: 0x12)
}

extension LEEventMask {
    public static let advertisingSetTerminated = Self(.advertisingSetTerminated)
}
