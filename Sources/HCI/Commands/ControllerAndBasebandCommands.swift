public import BluetoothValues
public import ByteCoding

/// Set Event Mask: which events the controller may send. Core 6.0, Vol 4, Part E, 7.3.1.
public struct SetEventMask: CommandParameters {
    public static var opcode: Opcode { .setEventMask }

    /// A bit an event; 1 lets it through.
    public var mask: EventMask

    public init(mask: EventMask) {
        self.mask = mask
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        mask = EventMask(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt64(mask.rawValue)
    }
}

/// Read Transmit Power Level: how loud a connection is. Core 6.0, Vol 4, Part E, 7.3.35.
public struct ReadTransmitPowerLevel: CommandParameters {
    public static var opcode: Opcode { .readTransmitPowerLevel }

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
}

/// Set Controller To Host Flow Control: whether the controller counts the host's free buffers. Core 6.0, Vol 4, Part E, 7.3.38.
public struct SetControllerToHostFlowControl: CommandParameters {
    public static var opcode: Opcode { .setControllerToHostFlowControl }

    /// Off after Reset.
    public var control: Control

    public init(control: Control) {
        self.control = control
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        control = try bytes.takeEnum("control")
    }

    public func write(to out: inout [UInt8]) {
        out.append(control.rawValue)
    }

    /// What the host counts.
    public enum Control: UInt8, Sendable {
        case off = 0
        case acl = 1
        case synchronous = 2
        case both = 3
    }
}

/// Host Buffer Size: how much the host can take in. Core 6.0, Vol 4, Part E, 7.3.39.
public struct HostBufferSize: CommandParameters {
    public static var opcode: Opcode { .hostBufferSize }

    /// The longest ACL data the host takes, in bytes without the header.
    public var aclDataLength: UInt16
    /// The same for synchronous data, which LE has not.
    public var synchronousDataLength: UInt8
    /// How many such packets the host has room for.
    public var aclPacketCount: UInt16
    /// How many synchronous packets; LE has none.
    public var synchronousPacketCount: UInt16

    public init(
        aclDataLength: UInt16,
        synchronousDataLength: UInt8 = 0,
        aclPacketCount: UInt16,
        synchronousPacketCount: UInt16 = 0
    ) {
        self.aclDataLength = aclDataLength
        self.synchronousDataLength = synchronousDataLength
        self.aclPacketCount = aclPacketCount
        self.synchronousPacketCount = synchronousPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        aclDataLength = try bytes.takeUInt16()
        synchronousDataLength = try bytes.takeUInt8()
        aclPacketCount = try bytes.takeUInt16()
        synchronousPacketCount = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(aclDataLength)
        out.appendUInt8(synchronousDataLength)
        out.appendUInt16(aclPacketCount)
        out.appendUInt16(synchronousPacketCount)
    }
}

/// Host Number Of Completed Packets: the host has freed buffers. The controller answers only if it must complain. Core 6.0, Vol 4, Part E, 7.3.40.
public struct HostNumberOfCompletedPackets: CommandParameters {
    public static var opcode: Opcode { .hostNumberOfCompletedPackets }

    /// At most 255 entries.
    public var completed: [CompletedPackets]

    public init(completed: [CompletedPackets]) {
        self.completed = completed
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let count = Int(try bytes.takeUInt8())
        completed = []
        completed.reserveCapacity(count)
        for _ in 0..<count { completed.append(try CompletedPackets(parsing: &bytes)) }
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(UInt8(completed.count))
        for element in completed { element.write(to: &out) }
    }
}

/// Set Event Mask Page 2: which events of the second mask the controller may send. Core 6.0, Vol 4, Part E, 7.3.69.
public struct SetEventMaskPage2: CommandParameters {
    public static var opcode: Opcode { .setEventMaskPage2 }

    /// A bit an event; 1 lets it through.
    public var mask: EventMaskPage2

    public init(mask: EventMaskPage2) {
        self.mask = mask
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        mask = EventMaskPage2(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt64(mask.rawValue)
    }
}

/// Read Authenticated Payload Timeout: how long an encrypted link may go without an authenticated packet. Core 6.0, Vol 4, Part E, 7.3.93.
public struct ReadAuthenticatedPayloadTimeout: CommandParameters {
    public static var opcode: Opcode { .readAuthenticatedPayloadTimeout }

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

/// What Read Authenticated Payload Timeout returns. Core 6.0, Vol 4, Part E, 7.3.93.
public struct ReadAuthenticatedPayloadTimeoutReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 10 ms, from 1.
    public var timeout: UInt16

    public init(status: ControllerError = .success, connection: ConnectionHandle, timeout: UInt16) {
        self.status = status
        self.connection = connection
        self.timeout = timeout
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        timeout = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendUInt16(timeout)
    }
}

/// Write Authenticated Payload Timeout: sets how long an encrypted link may go without an authenticated packet. Core 6.0, Vol 4, Part E, 7.3.94.
public struct WriteAuthenticatedPayloadTimeout: CommandParameters {
    public static var opcode: Opcode { .writeAuthenticatedPayloadTimeout }

    /// Which connection.
    public var connection: ConnectionHandle
    /// Steps of 10 ms, from 1; not less than interval x (1 + latency).
    public var timeout: UInt16

    public init(connection: ConnectionHandle, timeout: UInt16) {
        self.connection = connection
        self.timeout = timeout
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        timeout = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt16(timeout)
    }
}
