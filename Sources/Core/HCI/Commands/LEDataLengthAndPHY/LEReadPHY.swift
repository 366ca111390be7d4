public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read PHY: which PHYs a connection uses. Core 6.0, Vol 4, Part E, 7.8.47.
public struct LEReadPHY: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadPHY,
            "LE Read PHY",
            supportedBit: SupportedCommandsBit(octet: 35, bit: 4),
            feature: .le2MPHY
        )
    }
    public typealias Return = LEReadPHYReturn

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

/// What LE Read PHY returns. Core 6.0, Vol 4, Part E, 7.8.47.
public struct LEReadPHYReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// From here to the peer.
    public var transmit: PHY
    /// From the peer to here.
    public var receive: PHY

    public init(
        status: ControllerError = .success,
        connection: ConnectionHandle,
        transmit: PHY = .le1M,
        receive: PHY = .le1M
    ) {
        self.status = status
        self.connection = connection
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        transmit = try bytes.takePHY("transmit", status: status)
        receive = try bytes.takePHY("receive", status: status)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.append(transmit.rawValue)
        out.append(receive.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("TX_PHY", \.transmit),
            Field("RX_PHY", \.receive),
        ]
    }
}

extension Opcode {
    /// LE Read PHY. 7.8.47.
    public static let leReadPHY = Self(rawValue: 0x2030)
}

extension Command {
    /// LE Read PHY.
    public static func leReadPHY(_ command: LEReadPHY) -> Self { Self(command) }
}
