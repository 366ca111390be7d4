public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Remote Connection Parameter Request: the peer asks for other parameters; the host answers. Core 6.0, Vol 4, Part
/// E, 7.7.65.6.
public struct LERemoteConnectionParameterRequest: HCIEvent {
    public static var identifier: EventIdentifier { .leRemoteConnectionParameterRequest }
    public static var name: String { "LE Remote Connection Parameter Request" }
    public var event: Event { .leRemoteConnectionParameterRequest(self) }

    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 1.25 ms.
    public var minimumInterval: UInt16
    /// Steps of 1.25 ms.
    public var maximumInterval: UInt16
    /// Events the peripheral may sleep through.
    public var maximumLatency: UInt16
    /// Steps of 10 ms.
    public var supervisionTimeout: UInt16

    public init(
        connection: ConnectionHandle,
        minimumInterval: UInt16,
        maximumInterval: UInt16,
        maximumLatency: UInt16,
        supervisionTimeout: UInt16
    ) {
        self.connection = connection
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.maximumLatency = maximumLatency
        self.supervisionTimeout = supervisionTimeout
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        minimumInterval = try bytes.takeUInt16()
        maximumInterval = try bytes.takeUInt16()
        maximumLatency = try bytes.takeUInt16()
        supervisionTimeout = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(minimumInterval)
        out.appendUInt16(maximumInterval)
        out.appendUInt16(maximumLatency)
        out.appendUInt16(supervisionTimeout)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Interval_Min", unit: .intervals, \.minimumInterval),
            Field("Interval_Max", unit: .intervals, \.maximumInterval),
            Field("Max_Latency", \.maximumLatency),
            Field("Timeout", unit: .centiseconds, \.supervisionTimeout),
        ]
    }
}

extension EventIdentifier {
    /// LE Remote Connection Parameter Request.
    public static let leRemoteConnectionParameterRequest = Self(le: .remoteConnectionParameterRequest)
}

extension LESubeventCode {
    public static let remoteConnectionParameterRequest = Self(rawValue: 0x06)
}

extension LEEventMask {
    public static let remoteConnectionParameterRequest = Self(.remoteConnectionParameterRequest)
}
