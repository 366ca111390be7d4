public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Enhanced Connection Complete [v1]: a connection has been made, or could not be; with private addresses. Core 6.0, Vol 4, Part E, 7.7.65.10.
public struct LEEnhancedConnectionComplete: HCIEvent {
    public static var identifier: EventIdentifier { .leEnhancedConnectionComplete }
    public static var name: String { "LE Enhanced Connection Complete [v1]" }
    public var event: Event { .leEnhancedConnectionComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Ours in this connection.
    public var role: ConnectionRole
    /// An identity where the controller resolved the peer's private address.
    public var peer: PeerAddress
    /// All zero where none was used.
    public var localPrivateAddress: DeviceAddress
    /// All zero where none was used.
    public var peerPrivateAddress: DeviceAddress
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
        localPrivateAddress: DeviceAddress = DeviceAddress(value: 0, kind: .random),
        peerPrivateAddress: DeviceAddress = DeviceAddress(value: 0, kind: .random),
        interval: UInt16,
        latency: UInt16,
        supervisionTimeout: UInt16,
        centralClockAccuracy: UInt8 = 0
    ) {
        self.status = status
        self.connection = connection
        self.role = role
        self.peer = peer
        self.localPrivateAddress = localPrivateAddress
        self.peerPrivateAddress = peerPrivateAddress
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
        localPrivateAddress = try DeviceAddress(parsing: &bytes, kind: .random)
        peerPrivateAddress = try DeviceAddress(parsing: &bytes, kind: .random)
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
        localPrivateAddress.write(to: &out)
        peerPrivateAddress.write(to: &out)
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
            Field("Local_Resolvable_Private_Address", \.localPrivateAddress),
            Field("Peer_Resolvable_Private_Address", \.peerPrivateAddress),
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
    /// LE Enhanced Connection Complete [v1].
    public static let leEnhancedConnectionComplete = Self(le: .enhancedConnectionComplete)
}

extension LESubeventCode {
    public static let enhancedConnectionComplete = Self(rawValue: 0x0A)
}

extension LEEventMask {
    public static let enhancedConnectionComplete = Self(.enhancedConnectionComplete)
}
