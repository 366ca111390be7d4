public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Channel Map: which data channels a connection uses. Core 6.0, Vol 4, Part E, 7.8.20.
public struct LEReadChannelMap: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadChannelMap,
            "LE Read Channel Map",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 4)
        )
    }
    public typealias Return = LEReadChannelMapReturn

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

/// What LE Read Channel Map returns. Core 6.0, Vol 4, Part E, 7.8.20.
public struct LEReadChannelMapReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// 37 bits, the first the lowest of the first byte: 1 used.
    public var channels: [UInt8]

    public init(status: ControllerError = .success, connection: ConnectionHandle, channels: [UInt8]) {
        self.status = status
        self.connection = connection
        self.channels = channels
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        channels = try bytes.takeBytes(5)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendExactly(5, channels)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            .bytes("Channel_Map", .fixed(5), \.channels),
        ]
    }
}

extension Opcode {
    /// LE Read Channel Map. 7.8.20.
    public static let leReadChannelMap = Self(rawValue: 0x2015)
}

extension Command {
    /// LE Read Channel Map.
    public static func leReadChannelMap(_ command: LEReadChannelMap) -> Self { Self(command) }
}
