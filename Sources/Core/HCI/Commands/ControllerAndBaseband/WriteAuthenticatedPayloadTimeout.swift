public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Write Authenticated Payload Timeout: sets how long an encrypted link may go without an authenticated packet. Core 6.0, Vol 4, Part E, 7.3.94.
public struct WriteAuthenticatedPayloadTimeout: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .writeAuthenticatedPayloadTimeout,
            "Write Authenticated Payload Timeout",
            supportedBit: SupportedCommandsBit(octet: 32, bit: 5),
            feature: .ping
        )
    }
    public typealias Return = ConnectionReturn

    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 10 ms, from 1; not less than interval x (1 + latency).
    public var timeout: UInt16

    public init(connection: ConnectionHandle, timeout: UInt16) {
        self.connection = connection
        self.timeout = timeout
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        timeout = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(timeout)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Authenticated_Payload_Timeout", unit: .centiseconds, \.timeout),
        ]
    }
}

extension Opcode {
    /// Write Authenticated Payload Timeout. 7.3.94.
    public static let writeAuthenticatedPayloadTimeout = Self(rawValue: 0x0C7C)
}

extension Command {
    /// Write Authenticated Payload Timeout.
    public static func writeAuthenticatedPayloadTimeout(_ command: WriteAuthenticatedPayloadTimeout) -> Self {
        Self(command)
    }
}
