public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Connection Complete: a connection has been made, or could not be. Core 6.0, Vol 4, Part E, 7.7.65.1.
public struct LEConnectionComplete: HCIEvent {
    public static var identifier: EventIdentifier { .leConnectionComplete }
    public static var name: String { "LE Connection Complete" }
    public var event: Event { .leConnectionComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Ours in this connection.
    public var role: ConnectionRole
    /// The other device.
    public var peer: PeerAddress
    /// Steps of 1.25 ms.
    public var interval: UInt16
    /// Events the peripheral may sleep through.
    public var latency: UInt16
    /// Steps of 10 ms.
    public var supervisionTimeout: UInt16
    /// 0 for 500 ppm to 7 for 20 ppm; 0 at the central.
    public var centralClockAccuracy: UInt8

    public init(
        status: ControllerError = .success,
        connection: ConnectionHandle,
        role: ConnectionRole,
        peer: PeerAddress,
        interval: UInt16,
        latency: UInt16,
        supervisionTimeout: UInt16,
        centralClockAccuracy: UInt8 = 0
    ) {
        self.status = status
        self.connection = connection
        self.role = role
        self.peer = peer
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.centralClockAccuracy = centralClockAccuracy
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        role = try bytes.takeEnum("role", status: status, otherwise: .central)
        peer = try PeerAddress(parsing: &bytes, status: status)
        interval = try bytes.takeUInt16()
        latency = try bytes.takeUInt16()
        supervisionTimeout = try bytes.takeUInt16()
        centralClockAccuracy = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.append(role.rawValue)
        peer.write(to: &out)
        out.appendUInt16(interval)
        out.appendUInt16(latency)
        out.appendUInt16(supervisionTimeout)
        out.appendUInt8(centralClockAccuracy)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("Role", \.role),
            Field("Peer_Address_Type", \.peer.type),
            Field("Peer_Address", \.peer.address),
            Field("Connection_Interval", unit: .intervals, \.interval),
            Field("Peripheral_Latency", \.latency),
            Field("Supervision_Timeout", unit: .centiseconds, \.supervisionTimeout),
            Field("Central_Clock_Accuracy", \.centralClockAccuracy),
        ]
    }

    /// The three numbers together; nil where they break a rule, as they do in a failure.
    public var parameters: ConnectionParameters? {
        ConnectionParameters(intervalSteps: interval, latencyEvents: latency, timeoutSteps: supervisionTimeout)
    }
}

extension EventIdentifier {
    /// LE Connection Complete.
    public static let leConnectionComplete = Self(le: .connectionComplete)
}

extension LESubeventCode {
    public static let connectionComplete = Self(rawValue: 0x01)
}

extension LEEventMask {
    public static let connectionComplete = Self(.connectionComplete)
}
