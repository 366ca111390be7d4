public import BluetoothValues
public import ByteCoding

/// What LE Read Filter Accept List Size returns. Core 6.0, Vol 4, Part E, 7.8.14.
public struct LEReadFilterAcceptListSizeReturn: ReturnParameters {
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

/// LE Add Device To Filter Accept List: lets a device through the filter policies. Core 6.0, Vol 4, Part E, 7.8.16.
public struct LEAddDeviceToFilterAcceptList: CommandParameters {
    public static var opcode: Opcode { .leAddDeviceToFilterAcceptList }

    /// An address as it appears on air, or `.anonymous`.
    public var device: PeerAddress

    public init(device: PeerAddress) {
        self.device = device
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        device = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        device.write(to: &out)
    }
}

/// LE Remove Device From Filter Accept List: takes a device out again. Core 6.0, Vol 4, Part E, 7.8.17.
public struct LERemoveDeviceFromFilterAcceptList: CommandParameters {
    public static var opcode: Opcode { .leRemoveDeviceFromFilterAcceptList }

    /// An address as it appears on air, or `.anonymous`.
    public var device: PeerAddress

    public init(device: PeerAddress) {
        self.device = device
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        device = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        device.write(to: &out)
    }
}
