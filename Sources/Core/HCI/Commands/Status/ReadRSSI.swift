public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read RSSI: how loud the peer is heard. Core 6.0, Vol 4, Part E, 7.5.4.
public struct ReadRSSI: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readRSSI,
            "Read RSSI",
            supportedBit: SupportedCommandsBit(octet: 15, bit: 5)
        )
    }
    public typealias Return = ReadRSSIReturn

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
            Field("Handle", \.connection)
        ]
    }
}

/// What Read RSSI returns. Core 6.0, Vol 4, Part E, 7.5.4.
public struct ReadRSSIReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Nil where the controller has no value.
    public var rssi: SignalStrength?

    public init(status: ControllerError = .success, connection: ConnectionHandle, rssi: SignalStrength? = nil) {
        self.status = status
        self.connection = connection
        self.rssi = rssi
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        rssi = try bytes.takeSignalStrength()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendInt8(rssi?.dBm ?? 127)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Handle", \.connection),
            Field("RSSI", unit: .decibelMilliwatts) { $0.rssi?.dBm ?? 127 },
        ]
    }
}

extension Opcode {
    /// Read RSSI. 7.5.4.
    public static let readRSSI = Self(rawValue: 0x1405)
}

extension Command {
    /// Read RSSI.
    public static func readRSSI(_ command: ReadRSSI) -> Self { Self(command) }
}
