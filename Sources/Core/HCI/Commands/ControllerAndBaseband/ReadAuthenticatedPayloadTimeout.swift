public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Authenticated Payload Timeout: how long an encrypted link may go without an authenticated packet. Core 6.0, Vol 4, Part E, 7.3.93.
public struct ReadAuthenticatedPayloadTimeout: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readAuthenticatedPayloadTimeout,
            "Read Authenticated Payload Timeout",
            supportedBit: SupportedCommandsBit(octet: 32, bit: 4),
            feature: .ping
        )
    }
    public typealias Return = ReadAuthenticatedPayloadTimeoutReturn

    /// Which connection.
    public var connection: ConnectionHandle

    public init(connection: ConnectionHandle) {
        self.connection = connection
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection)
        ]
    }
}

/// What Read Authenticated Payload Timeout returns. Core 6.0, Vol 4, Part E, 7.3.93.
public struct ReadAuthenticatedPayloadTimeoutReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 10 ms, from 1.
    public var timeout: UInt16

    public init(status: ControllerError = .success, connection: ConnectionHandle, timeout: UInt16) {
        self.status = status
        self.connection = connection
        self.timeout = timeout
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        timeout = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendUInt16(timeout)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("Authenticated_Payload_Timeout", unit: .centiseconds, \.timeout),
        ]
    }
}

extension Opcode {
    /// Read Authenticated Payload Timeout. 7.3.93.
    public static let readAuthenticatedPayloadTimeout = Self(rawValue: 0x0C7B)
}

extension Command {
    /// Read Authenticated Payload Timeout.
    public static func readAuthenticatedPayloadTimeout(_ command: ReadAuthenticatedPayloadTimeout) -> Self {
        Self(command)
    }
}
