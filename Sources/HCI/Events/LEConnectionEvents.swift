public import BluetoothValues
public import ByteCoding

/// LE Connection Complete: a connection has been made, or could not be. Core 6.0, Vol 4, Part E, 7.7.65.1.
public struct LEConnectionComplete: EventParameters {
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

    /// The three numbers together; nil where they break a rule, as they do in a failure.
    public var parameters: ConnectionParameters? {
        ConnectionParameters(intervalSteps: interval, latencyEvents: latency, timeoutSteps: supervisionTimeout)
    }
}

/// LE Connection Update Complete: a connection has changed its pace, or could not. Core 6.0, Vol 4, Part E, 7.7.65.3.
public struct LEConnectionUpdateComplete: EventParameters {
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

    /// The three numbers together; nil where they break a rule, as they do in a failure.
    public var parameters: ConnectionParameters? {
        ConnectionParameters(intervalSteps: interval, latencyEvents: latency, timeoutSteps: supervisionTimeout)
    }
}

/// LE Read Remote Features Complete: which LE features the peer has. Core 6.0, Vol 4, Part E, 7.7.65.4.
public struct LEReadRemoteFeaturesComplete: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// A bit a feature.
    public var features: LEFeatures

    public init(status: ControllerError = .success, connection: ConnectionHandle, features: LEFeatures) {
        self.status = status
        self.connection = connection
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        features = LEFeatures(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendUInt64(features.rawValue)
    }
}

/// LE Remote Connection Parameter Request: the peer would like another pace; the host answers. Core 6.0, Vol 4, Part E, 7.7.65.6.
public struct LERemoteConnectionParameterRequest: EventParameters {
    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 1.25 ms.
    public var minimumInterval: UInt16
    /// Steps of 1.25 ms.
    public var maximumInterval: UInt16
    /// Events the peripheral may sleep through.
    public var maximumLatency: UInt16
    /// Steps of 10 ms.
    public var supervisionTimeout: UInt16

    public init(
        connection: ConnectionHandle,
        minimumInterval: UInt16,
        maximumInterval: UInt16,
        maximumLatency: UInt16,
        supervisionTimeout: UInt16
    ) {
        self.connection = connection
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.maximumLatency = maximumLatency
        self.supervisionTimeout = supervisionTimeout
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        minimumInterval = try bytes.takeUInt16()
        maximumInterval = try bytes.takeUInt16()
        maximumLatency = try bytes.takeUInt16()
        supervisionTimeout = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(minimumInterval)
        out.appendUInt16(maximumInterval)
        out.appendUInt16(maximumLatency)
        out.appendUInt16(supervisionTimeout)
    }
}

/// LE Data Length Change: packets on a connection may be longer or shorter now. Core 6.0, Vol 4, Part E, 7.7.65.7.
public struct LEDataLengthChange: EventParameters {
    /// Which connection.
    public var connection: ConnectionHandle
    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16
    /// 27 to 251 bytes.
    public var receiveOctets: UInt16
    /// 328 to 17 040 µs.
    public var receiveTime: UInt16

    public init(
        connection: ConnectionHandle,
        transmitOctets: UInt16,
        transmitTime: UInt16,
        receiveOctets: UInt16,
        receiveTime: UInt16
    ) {
        self.connection = connection
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
        self.receiveOctets = receiveOctets
        self.receiveTime = receiveTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
        receiveOctets = try bytes.takeUInt16()
        receiveTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
        out.appendUInt16(receiveOctets)
        out.appendUInt16(receiveTime)
    }
}

/// LE Enhanced Connection Complete [v1]: a connection has been made, or could not be; with private addresses. Core 6.0, Vol 4, Part E, 7.7.65.10.
public struct LEEnhancedConnectionComplete: EventParameters {
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

    /// The three numbers together; nil where they break a rule, as they do in a failure.
    public var parameters: ConnectionParameters? {
        ConnectionParameters(intervalSteps: interval, latencyEvents: latency, timeoutSteps: supervisionTimeout)
    }
}

/// LE PHY Update Complete: a connection has changed its PHYs, or could not. Core 6.0, Vol 4, Part E, 7.7.65.12.
public struct LEPHYUpdateComplete: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// From here to the peer.
    public var transmit: PHY
    /// From the peer to here.
    public var receive: PHY

    public init(status: ControllerError = .success, connection: ConnectionHandle, transmit: PHY, receive: PHY) {
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
}

/// LE Channel Selection Algorithm: which of the two a new connection uses. Core 6.0, Vol 4, Part E, 7.7.65.20.
public struct LEChannelSelectionAlgorithm: EventParameters {
    /// Which connection.
    public var connection: ConnectionHandle
    /// Channel selection algorithm #1 or #2.
    public var algorithm: Algorithm

    public init(connection: ConnectionHandle, algorithm: Algorithm) {
        self.connection = connection
        self.algorithm = algorithm
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        algorithm = try bytes.takeEnum("algorithm")
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.append(algorithm.rawValue)
    }

    /// Core 6.0, Vol 6, Part B, 4.5.8.2 and 4.5.8.3.
    public enum Algorithm: UInt8, Sendable {
        case one = 0
        case two = 1
    }
}
