public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Transmit Power Level: how loud a connection is. Core 6.0, Vol 4, Part E, 7.3.35.
public struct ReadTransmitPowerLevel: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readTransmitPowerLevel,
            "Read Transmit Power Level",
            supportedBit: SupportedCommandsBit(octet: 10, bit: 2)
        )
    }
    public typealias Return = ReadTransmitPowerLevelReturn

    /// Which connection.
    public var connection: ConnectionHandle
    /// Now, or the strongest allowed.
    public var kind: Kind

    public init(connection: ConnectionHandle, kind: Kind = .current) {
        self.connection = connection
        self.kind = kind
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        kind = try bytes.takeEnum("kind")
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.append(kind.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Type", \.kind),
        ]
    }

    /// Which of a connection's power levels is asked for.
    public enum Kind: UInt8, Sendable {
        case current = 0
        case maximum = 1
    }
}

/// What Read Transmit Power Level returns. Core 6.0, Vol 4, Part E, 7.3.35.
public struct ReadTransmitPowerLevelReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// −30 to +20 dBm.
    public var level: SignalStrength

    public init(status: ControllerError = .success, connection: ConnectionHandle, level: SignalStrength) {
        self.status = status
        self.connection = connection
        self.level = level
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        level = SignalStrength(dBm: try bytes.takeInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendInt8(level.dBm)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("TX_Power_Level", unit: .decibelMilliwatts, \.level),
        ]
    }
}

extension Opcode {
    /// Read Transmit Power Level. 7.3.35.
    public static let readTransmitPowerLevel = Self(rawValue: 0x0C2D)
}

extension Command {
    /// Read Transmit Power Level.
    public static func readTransmitPowerLevel(_ command: ReadTransmitPowerLevel) -> Self { Self(command) }
}
