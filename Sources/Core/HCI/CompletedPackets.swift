public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// How many data packets of one connection have been dealt with. Core 6.0, Vol 4, Part E, 7.3.40 and 7.7.19.
public struct CompletedPackets: FieldDescribed, Hashable, Sendable {
    /// Which connection.
    public var connection: ConnectionHandle
    /// Packets since the last such report.
    public var count: UInt16

    @inlinable
    public init(connection: ConnectionHandle, count: UInt16) {
        self.connection = connection
        self.count = count
    }

    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        count = try bytes.takeUInt16()
    }

    @inlinable
    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(count)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Num_Completed_Packets", \.count),
        ]
    }

    /// The same in a command of the host, which has a name of its own for the number.
    static var hostFields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Host_Num_Completed_Packets", \.count),
        ]
    }
}
