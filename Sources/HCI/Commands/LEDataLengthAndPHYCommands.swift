public import BluetoothValues
public import ByteCoding

/// LE Set Data Length: how long packets on a connection should be. Core 6.0, Vol 4, Part E, 7.8.33.
public struct LESetDataLength: CommandParameters {
    public static var opcode: Opcode { .leSetDataLength }

    /// Which connection.
    public var connection: ConnectionHandle
    /// Longest payload to send in one packet, 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// Longest time to send one packet, 328 to 17 040 µs.
    public var transmitTime: UInt16

    public init(connection: ConnectionHandle, transmitOctets: UInt16, transmitTime: UInt16) {
        self.connection = connection
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
    }
}

/// What LE Read Suggested Default Data Length returns. Core 6.0, Vol 4, Part E, 7.8.34.
public struct LEReadSuggestedDefaultDataLengthReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16

    public init(status: ControllerError = .success, transmitOctets: UInt16 = 27, transmitTime: UInt16 = 328) {
        self.status = status
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
    }
}

/// LE Write Suggested Default Data Length: how long packets on new connections should be. Core 6.0, Vol 4, Part E, 7.8.35.
public struct LEWriteSuggestedDefaultDataLength: CommandParameters {
    public static var opcode: Opcode { .leWriteSuggestedDefaultDataLength }

    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16

    public init(transmitOctets: UInt16, transmitTime: UInt16) {
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
    }
}

/// What LE Read Maximum Data Length returns: the longest packets the controller can send and receive. Core 6.0, Vol 4, Part E, 7.8.46.
public struct LEReadMaximumDataLengthReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16
    /// 27 to 251 bytes.
    public var receiveOctets: UInt16
    /// 328 to 17 040 µs.
    public var receiveTime: UInt16

    public init(
        status: ControllerError = .success,
        transmitOctets: UInt16 = 27,
        transmitTime: UInt16 = 328,
        receiveOctets: UInt16 = 27,
        receiveTime: UInt16 = 328
    ) {
        self.status = status
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
        self.receiveOctets = receiveOctets
        self.receiveTime = receiveTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
        receiveOctets = try bytes.takeUInt16()
        receiveTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
        out.appendUInt16(receiveOctets)
        out.appendUInt16(receiveTime)
    }
}

/// LE Read PHY: which PHYs a connection uses. Core 6.0, Vol 4, Part E, 7.8.47.
public struct LEReadPHY: CommandParameters {
    public static var opcode: Opcode { .leReadPHY }

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
}

/// LE Set Default PHY: which PHYs new connections should use. Core 6.0, Vol 4, Part E, 7.8.48.
public struct LESetDefaultPHY: CommandParameters {
    public static var opcode: Opcode { .leSetDefaultPHY }

    /// Directions in which the host does not care.
    public var noPreference: PHYIndifference
    /// From here to the peer; at least one unless there is no preference.
    public var transmit: PHYSet
    /// From the peer to here; at least one unless there is no preference.
    public var receive: PHYSet

    public init(noPreference: PHYIndifference = [], transmit: PHYSet, receive: PHYSet) {
        self.noPreference = noPreference
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        noPreference = PHYIndifference(rawValue: try bytes.takeUInt8())
        transmit = PHYSet(rawValue: try bytes.takeUInt8())
        receive = PHYSet(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(noPreference.rawValue)
        out.append(transmit.rawValue)
        out.append(receive.rawValue)
    }
}

/// LE Set PHY: which PHYs a connection should use. Core 6.0, Vol 4, Part E, 7.8.49.
public struct LESetPHY: CommandParameters {
    public static var opcode: Opcode { .leSetPHY }

    /// Which connection.
    public var connection: ConnectionHandle
    /// Directions in which the host does not care.
    public var noPreference: PHYIndifference
    /// From here to the peer; at least one unless there is no preference.
    public var transmit: PHYSet
    /// From the peer to here; at least one unless there is no preference.
    public var receive: PHYSet
    /// Coding preferred on LE Coded: 0 none, 1 S=2, 2 S=8.
    public var options: UInt16

    public init(
        connection: ConnectionHandle,
        noPreference: PHYIndifference = [],
        transmit: PHYSet,
        receive: PHYSet,
        options: UInt16 = 0
    ) {
        self.connection = connection
        self.noPreference = noPreference
        self.transmit = transmit
        self.receive = receive
        self.options = options
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        noPreference = PHYIndifference(rawValue: try bytes.takeUInt8())
        transmit = PHYSet(rawValue: try bytes.takeUInt8())
        receive = PHYSet(rawValue: try bytes.takeUInt8())
        options = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.append(noPreference.rawValue)
        out.append(transmit.rawValue)
        out.append(receive.rawValue)
        out.appendUInt16(options)
    }
}
