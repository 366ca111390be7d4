public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Data Length: how long packets on a connection should be. Core 6.0, Vol 4, Part E, 7.8.33.
public struct LESetDataLength: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetDataLength,
            "LE Set Data Length",
            supportedBit: SupportedCommandsBit(octet: 33, bit: 6),
            feature: .dataPacketLengthExtension
        )
    }
    public typealias Return = ConnectionReturn

    /// Which connection.
    public var connection: ConnectionHandle
    /// Longest payload to send in one packet, 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// Longest time to send one packet, 328 to 17 040 µs.
    public var transmitTime: UInt16

    public init(connection: ConnectionHandle, transmitOctets: UInt16, transmitTime: UInt16) {
        self.connection = connection
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("TX_Octets", unit: .octets, \.transmitOctets),
            Field("TX_Time", unit: .microseconds, \.transmitTime),
        ]
    }
}

extension Opcode {
    /// LE Set Data Length. 7.8.33.
    public static let leSetDataLength = Self(rawValue: 0x2022)
}

extension Command {
    /// LE Set Data Length.
    public static func leSetDataLength(_ command: LESetDataLength) -> Self { Self(command) }
}
