public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Connection Update: changes the parameters of a connection. Core 6.0, Vol 4, Part E, 7.8.18.
public struct LEConnectionUpdate: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leConnectionUpdate,
            "LE Connection Update",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 2),
            answer: .commandStatus(then: [.leConnectionUpdateComplete])
        )
    }

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
            Field("Connection_Interval_Min", unit: .intervals, \.minimumInterval),
            Field("Connection_Interval_Max", unit: .intervals, \.maximumInterval),
            Field("Max_Latency", \.maximumLatency),
            Field("Supervision_Timeout", unit: .centiseconds, \.supervisionTimeout),
            Field("Min_CE_Length", unit: .slots, \.minimumEventLength),
            Field("Max_CE_Length", unit: .slots, \.maximumEventLength),
        ]
    }
}

extension Opcode {
    /// LE Connection Update. 7.8.18.
    public static let leConnectionUpdate = Self(rawValue: 0x2013)
}

extension Command {
    /// LE Connection Update.
    public static func leConnectionUpdate(_ command: LEConnectionUpdate) -> Self { Self(command) }
}
