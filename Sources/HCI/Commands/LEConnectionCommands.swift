public import BluetoothValues
public import ByteCoding

/// LE Create Connection: connects to an advertiser, as central. Core 6.0, Vol 4, Part E, 7.8.12.
public struct LECreateConnection: CommandParameters {
    public static var opcode: Opcode { .leCreateConnection }

    /// Steps of 0.625 ms, 0x0004 to 0x4000.
    public var scanInterval: UInt16
    /// Steps of 0.625 ms, not more than the interval.
    public var scanWindow: UInt16
    /// Whether the peer or the filter accept list decides.
    public var filterPolicy: InitiatorFilterPolicy
    /// Without meaning where the filter accept list decides.
    public var peer: PeerAddress
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
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
        scanInterval: UInt16 = 0x0010,
        scanWindow: UInt16 = 0x0010,
        filterPolicy: InitiatorFilterPolicy = .peer,
        peer: PeerAddress,
        ownAddressType: OwnAddressType = .public,
        minimumInterval: UInt16,
        maximumInterval: UInt16,
        maximumLatency: UInt16,
        supervisionTimeout: UInt16,
        minimumEventLength: UInt16 = 0,
        maximumEventLength: UInt16 = 0
    ) {
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.filterPolicy = filterPolicy
        self.peer = peer
        self.ownAddressType = ownAddressType
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.maximumLatency = maximumLatency
        self.supervisionTimeout = supervisionTimeout
        self.minimumEventLength = minimumEventLength
        self.maximumEventLength = maximumEventLength
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        scanInterval = try bytes.takeUInt16()
        scanWindow = try bytes.takeUInt16()
        filterPolicy = try bytes.takeEnum("filter policy")
        peer = try PeerAddress(parsing: &bytes)
        ownAddressType = try bytes.takeEnum("own address type")
        minimumInterval = try bytes.takeUInt16()
        maximumInterval = try bytes.takeUInt16()
        maximumLatency = try bytes.takeUInt16()
        supervisionTimeout = try bytes.takeUInt16()
        minimumEventLength = try bytes.takeUInt16()
        maximumEventLength = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(scanInterval)
        out.appendUInt16(scanWindow)
        out.append(filterPolicy.rawValue)
        peer.write(to: &out)
        out.append(ownAddressType.rawValue)
        out.appendUInt16(minimumInterval)
        out.appendUInt16(maximumInterval)
        out.appendUInt16(maximumLatency)
        out.appendUInt16(supervisionTimeout)
        out.appendUInt16(minimumEventLength)
        out.appendUInt16(maximumEventLength)
    }
}

/// LE Connection Update: changes the pace of a connection. Core 6.0, Vol 4, Part E, 7.8.18.
public struct LEConnectionUpdate: CommandParameters {
    public static var opcode: Opcode { .leConnectionUpdate }

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
}

/// LE Read Channel Map: which data channels a connection uses. Core 6.0, Vol 4, Part E, 7.8.20.
public struct LEReadChannelMap: CommandParameters {
    public static var opcode: Opcode { .leReadChannelMap }

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
}

/// LE Read Remote Features: which LE features the peer's controller has. Core 6.0, Vol 4, Part E, 7.8.21.
public struct LEReadRemoteFeatures: CommandParameters {
    public static var opcode: Opcode { .leReadRemoteFeatures }

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
}

/// LE Remote Connection Parameter Request Reply: agrees to a peer's wish for another pace. Core 6.0, Vol 4, Part E, 7.8.31.
public struct LERemoteConnectionParameterRequestReply: CommandParameters {
    public static var opcode: Opcode { .leRemoteConnectionParameterRequestReply }

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
}

/// LE Remote Connection Parameter Request Negative Reply: refuses a peer's wish for another pace. Core 6.0, Vol 4, Part E, 7.8.32.
public struct LERemoteConnectionParameterRequestNegativeReply: CommandParameters {
    public static var opcode: Opcode { .leRemoteConnectionParameterRequestNegativeReply }

    /// Which connection.
    public var connection: ConnectionHandle
    /// Why.
    public var reason: ControllerError

    public init(connection: ConnectionHandle, reason: ControllerError = .unacceptableConnectionParameters) {
        self.connection = connection
        self.reason = reason
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        reason = ControllerError(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.append(reason.rawValue)
    }
}
