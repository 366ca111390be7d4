public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Remote Connection Parameter Request Reply: agrees to a peer's request for parameters. Core 6.0, Vol 4, Part E,
/// 7.8.31.
public struct LERemoteConnectionParameterRequestReply: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leRemoteConnectionParameterRequestReply,
            "LE Remote Connection Parameter Request Reply",
            supportedBit: SupportedCommandsBit(octet: 33, bit: 4),
            feature: .connectionParametersRequest
        )
    }
    public typealias Return = ConnectionReturn

    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 1.25 ms, 6 to 3200.
    public var minimumInterval: UInt16
    /// Steps of 1.25 ms, not less than the minimum.
    public var maximumInterval: UInt16
    /// Events the peripheral may sleep through, 0 to 499.
    public var maximumLatency: UInt16
    /// Steps of 10 ms, 10 to 3200.
    public var supervisionTimeout: UInt16
    /// What the host thinks an event needs: steps of 0.625 ms.
    public var minimumEventLength: UInt16
    /// Steps of 0.625 ms.
    public var maximumEventLength: UInt16

    public init(
        connection: ConnectionHandle,
        minimumInterval: UInt16,
        maximumInterval: UInt16,
        maximumLatency: UInt16,
        supervisionTimeout: UInt16,
        minimumEventLength: UInt16 = 0,
        maximumEventLength: UInt16 = 0
    ) {
        self.connection = connection
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.maximumLatency = maximumLatency
        self.supervisionTimeout = supervisionTimeout
        self.minimumEventLength = minimumEventLength
        self.maximumEventLength = maximumEventLength
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        minimumInterval = try bytes.takeUInt16()
        maximumInterval = try bytes.takeUInt16()
        maximumLatency = try bytes.takeUInt16()
        supervisionTimeout = try bytes.takeUInt16()
        minimumEventLength = try bytes.takeUInt16()
        maximumEventLength = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(minimumInterval)
        out.appendUInt16(maximumInterval)
        out.appendUInt16(maximumLatency)
        out.appendUInt16(supervisionTimeout)
        out.appendUInt16(minimumEventLength)
        out.appendUInt16(maximumEventLength)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Interval_Min", unit: .intervals, \.minimumInterval),
            Field("Interval_Max", unit: .intervals, \.maximumInterval),
            Field("Max_Latency", \.maximumLatency),
            Field("Timeout", unit: .centiseconds, \.supervisionTimeout),
            Field("Min_CE_Length", unit: .slots, \.minimumEventLength),
            Field("Max_CE_Length", unit: .slots, \.maximumEventLength),
        ]
    }
}

extension Opcode {
    /// LE Remote Connection Parameter Request Reply. 7.8.31.
    public static let leRemoteConnectionParameterRequestReply = Self(rawValue: 0x2020)
}

extension Command {
    /// LE Remote Connection Parameter Request Reply.
    public static func leRemoteConnectionParameterRequestReply(_ command: LERemoteConnectionParameterRequestReply)
        -> Self
    { Self(command) }
}
