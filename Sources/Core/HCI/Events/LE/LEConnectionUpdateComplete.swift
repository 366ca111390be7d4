public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Connection Update Complete: a connection has changed its parameters, or could not. Core 6.0, Vol 4, Part E,
/// 7.7.65.3.
public struct LEConnectionUpdateComplete: HCIEvent {
    public static var identifier: EventIdentifier { .leConnectionUpdateComplete }
    public static var name: String { "LE Connection Update Complete" }
    public var event: Event { .leConnectionUpdateComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 1.25 ms.
    public var interval: UInt16
    /// Events the peripheral may sleep through.
    public var latency: UInt16
    /// Steps of 10 ms.
    public var supervisionTimeout: UInt16

    public init(
        status: ControllerError = .success,
        connection: ConnectionHandle,
        interval: UInt16,
        latency: UInt16,
        supervisionTimeout: UInt16
    ) {
        self.status = status
        self.connection = connection
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        interval = try bytes.takeUInt16()
        latency = try bytes.takeUInt16()
        supervisionTimeout = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendUInt16(interval)
        out.appendUInt16(latency)
        out.appendUInt16(supervisionTimeout)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("Connection_Interval", unit: .intervals, \.interval),
            Field("Peripheral_Latency", \.latency),
            Field("Supervision_Timeout", unit: .centiseconds, \.supervisionTimeout),
        ]
    }

    /// The three numbers together; nil where they break a rule, as they do in a failure.
    public var parameters: ConnectionParameters? {
        ConnectionParameters(intervalSteps: interval, latencyEvents: latency, timeoutSteps: supervisionTimeout)
    }
}

extension EventIdentifier {
    /// LE Connection Update Complete.
    public static let leConnectionUpdateComplete = Self(le: .connectionUpdateComplete)
}

extension LESubeventCode {
    public static let connectionUpdateComplete = Self(rawValue: 0x03)
}

extension LEEventMask {
    public static let connectionUpdateComplete = Self(.connectionUpdateComplete)
}
