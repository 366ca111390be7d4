public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Data Length Change: packets on a connection may be longer or shorter now. Core 6.0, Vol 4, Part E, 7.7.65.7.
public struct LEDataLengthChange: HCIEvent {
    public static var identifier: EventIdentifier { .leDataLengthChange }
    public static var name: String { "LE Data Length Change" }
    public var event: Event { .leDataLengthChange(self) }

    /// Which connection.
    public var connection: ConnectionHandle
    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16
    /// 27 to 251 bytes.
    public var receiveOctets: UInt16
    /// 328 to 17 040 µs.
    public var receiveTime: UInt16

    public init(
        connection: ConnectionHandle,
        transmitOctets: UInt16,
        transmitTime: UInt16,
        receiveOctets: UInt16,
        receiveTime: UInt16
    ) {
        self.connection = connection
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
        self.receiveOctets = receiveOctets
        self.receiveTime = receiveTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
        receiveOctets = try bytes.takeUInt16()
        receiveTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
        out.appendUInt16(receiveOctets)
        out.appendUInt16(receiveTime)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Max_TX_Octets", unit: .octets, \.transmitOctets),
            Field("Max_TX_Time", unit: .microseconds, \.transmitTime),
            Field("Max_RX_Octets", unit: .octets, \.receiveOctets),
            Field("Max_RX_Time", unit: .microseconds, \.receiveTime),
        ]
    }
}

extension EventIdentifier {
    /// LE Data Length Change.
    public static let leDataLengthChange = Self(le: .dataLengthChange)
}

extension LESubeventCode {
    public static let dataLengthChange = Self(rawValue: 0x07)
}

extension LEEventMask {
    public static let dataLengthChange = Self(.dataLengthChange)
}
