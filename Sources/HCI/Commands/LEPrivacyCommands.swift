public import BluetoothValues
public import ByteCoding

/// LE Add Device To Resolving List: lets the controller see through a peer's private addresses. Core 6.0, Vol 4, Part E, 7.8.38.
public struct LEAddDeviceToResolvingList: CommandParameters {
    public static var opcode: Opcode { .leAddDeviceToResolvingList }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress
    /// Peer's IRK, least significant byte first; all zero if it has none.
    public var peerResolvingKey: [UInt8]
    /// The IRK to use with this peer; all zero if none.
    public var localResolvingKey: [UInt8]

    public init(identity: PeerAddress, peerResolvingKey: [UInt8], localResolvingKey: [UInt8]) {
        self.identity = identity
        self.peerResolvingKey = peerResolvingKey
        self.localResolvingKey = localResolvingKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
        peerResolvingKey = try bytes.takeBytes(16)
        localResolvingKey = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
        out.appendExactly(16, peerResolvingKey)
        out.appendExactly(16, localResolvingKey)
    }
}

/// LE Remove Device From Resolving List: forgets a peer's keys. Core 6.0, Vol 4, Part E, 7.8.39.
public struct LERemoveDeviceFromResolvingList: CommandParameters {
    public static var opcode: Opcode { .leRemoveDeviceFromResolvingList }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress

    public init(identity: PeerAddress) {
        self.identity = identity
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
    }
}

/// What LE Read Resolving List Size returns. Core 6.0, Vol 4, Part E, 7.8.41.
public struct LEReadResolvingListSizeReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Entries the list can hold, from 1.
    public var size: UInt8

    public init(status: ControllerError = .success, size: UInt8 = 0) {
        self.status = status
        self.size = size
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        size = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(size)
    }
}

/// LE Read Peer Resolvable Address: the private address a peer uses now. Core 6.0, Vol 4, Part E, 7.8.42.
public struct LEReadPeerResolvableAddress: CommandParameters {
    public static var opcode: Opcode { .leReadPeerResolvableAddress }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress

    public init(identity: PeerAddress) {
        self.identity = identity
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
    }
}

/// What LE Read Peer Resolvable Address returns. Core 6.0, Vol 4, Part E, 7.8.42.
public struct LEReadPeerResolvableAddressReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// The resolvable private address in use.
    public var address: DeviceAddress

    public init(status: ControllerError = .success, address: DeviceAddress = DeviceAddress(value: 0, kind: .random)) {
        self.status = status
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        address = try DeviceAddress(parsing: &bytes, kind: .random)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        address.write(to: &out)
    }
}

/// LE Read Local Resolvable Address: the private address used towards a peer now. Core 6.0, Vol 4, Part E, 7.8.43.
public struct LEReadLocalResolvableAddress: CommandParameters {
    public static var opcode: Opcode { .leReadLocalResolvableAddress }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress

    public init(identity: PeerAddress) {
        self.identity = identity
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
    }
}

/// What LE Read Local Resolvable Address returns. Core 6.0, Vol 4, Part E, 7.8.43.
public struct LEReadLocalResolvableAddressReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// The resolvable private address in use.
    public var address: DeviceAddress

    public init(status: ControllerError = .success, address: DeviceAddress = DeviceAddress(value: 0, kind: .random)) {
        self.status = status
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        address = try DeviceAddress(parsing: &bytes, kind: .random)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        address.write(to: &out)
    }
}

/// LE Set Address Resolution Enable: starts or stops resolving private addresses. Core 6.0, Vol 4, Part E, 7.8.44.
public struct LESetAddressResolutionEnable: CommandParameters {
    public static var opcode: Opcode { .leSetAddressResolutionEnable }

    /// On or off.
    public var isEnabled: Bool

    public init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isEnabled = try bytes.takeBool("is enabled")
    }

    public func write(to out: inout [UInt8]) {
        out.append(isEnabled ? 1 : 0)
    }
}

/// LE Set Resolvable Private Address Timeout: how long the controller keeps a private address. Core 6.0, Vol 4, Part E, 7.8.45.
public struct LESetResolvablePrivateAddressTimeout: CommandParameters {
    public static var opcode: Opcode { .leSetResolvablePrivateAddressTimeout }

    /// 1 to 3600; by default 900.
    public var seconds: UInt16

    public init(seconds: UInt16) {
        self.seconds = seconds
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        seconds = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(seconds)
    }
}

/// LE Set Privacy Mode: whether a peer with keys may also use its identity address. Core 6.0, Vol 4, Part E, 7.8.77.
public struct LESetPrivacyMode: CommandParameters {
    public static var opcode: Opcode { .leSetPrivacyMode }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress
    /// How strict to be; network mode after adding a peer.
    public var mode: Mode

    public init(identity: PeerAddress, mode: Mode) {
        self.identity = identity
        self.mode = mode
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
        mode = try bytes.takeEnum("mode")
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
        out.append(mode.rawValue)
    }

    /// How strictly a peer's privacy is taken.
    public enum Mode: UInt8, Sendable {
        /// The peer must use private addresses.
        case network = 0
        /// The peer may use its identity address too.
        case device = 1
    }
}
