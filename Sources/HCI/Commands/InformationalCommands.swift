public import BluetoothValues
public import ByteCoding

/// What Read Local Version Information returns: who made the controller, to which version. Core 6.0, Vol 4, Part E, 7.4.1.
public struct ReadLocalVersionInformationReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 0x0D is Core 5.4, by the Assigned Numbers, 2.1.
    public var hciVersion: UInt8
    /// The maker's own.
    public var hciSubversion: UInt16
    /// The same numbers as `hciVersion`.
    public var linkLayerVersion: UInt8
    /// By the Assigned Numbers, 7.
    public var companyIdentifier: UInt16
    /// The maker's own.
    public var linkLayerSubversion: UInt16

    public init(
        status: ControllerError = .success,
        hciVersion: UInt8 = 0,
        hciSubversion: UInt16 = 0,
        linkLayerVersion: UInt8 = 0,
        companyIdentifier: UInt16 = 0xFFFF,
        linkLayerSubversion: UInt16 = 0
    ) {
        self.status = status
        self.hciVersion = hciVersion
        self.hciSubversion = hciSubversion
        self.linkLayerVersion = linkLayerVersion
        self.companyIdentifier = companyIdentifier
        self.linkLayerSubversion = linkLayerSubversion
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        hciVersion = try bytes.takeUInt8()
        hciSubversion = try bytes.takeUInt16()
        linkLayerVersion = try bytes.takeUInt8()
        companyIdentifier = try bytes.takeUInt16()
        linkLayerSubversion = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(hciVersion)
        out.appendUInt16(hciSubversion)
        out.appendUInt8(linkLayerVersion)
        out.appendUInt16(companyIdentifier)
        out.appendUInt16(linkLayerSubversion)
    }
}

/// What Read Local Supported Commands returns. Core 6.0, Vol 4, Part E, 7.4.2.
public struct ReadLocalSupportedCommandsReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a command.
    public var commands: SupportedCommands

    public init(status: ControllerError = .success, commands: SupportedCommands = SupportedCommands()) {
        self.status = status
        self.commands = commands
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        commands = try SupportedCommands(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        commands.write(to: &out)
    }
}

/// What Read Local Supported Features returns: page 0 of the LMP features. Core 6.0, Vol 4, Part E, 7.4.3.
public struct ReadLocalSupportedFeaturesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a feature.
    public var features: LMPFeatures

    public init(status: ControllerError = .success, features: LMPFeatures = []) {
        self.status = status
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        features = LMPFeatures(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(features.rawValue)
    }
}

/// Read Local Extended Features: one page of the LMP features. Core 6.0, Vol 4, Part E, 7.4.4.
public struct ReadLocalExtendedFeatures: CommandParameters {
    public static var opcode: Opcode { .readLocalExtendedFeatures }

    /// 0 to what the answer calls `maximumPage`.
    public var page: UInt8

    public init(page: UInt8) {
        self.page = page
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        page = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(page)
    }
}

/// What Read Local Extended Features returns: one page of the LMP features. Core 6.0, Vol 4, Part E, 7.4.4.
public struct ReadLocalExtendedFeaturesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// The page this is.
    public var page: UInt8
    /// The last page there is.
    public var maximumPage: UInt8
    /// Bit n of the page.
    public var features: UInt64

    public init(status: ControllerError = .success, page: UInt8 = 0, maximumPage: UInt8 = 0, features: UInt64 = 0) {
        self.status = status
        self.page = page
        self.maximumPage = maximumPage
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        page = try bytes.takeUInt8()
        maximumPage = try bytes.takeUInt8()
        features = try bytes.takeUInt64()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(page)
        out.appendUInt8(maximumPage)
        out.appendUInt64(features)
    }
}

/// What Read Buffer Size returns: how much data for BR/EDR links the controller takes; nothing, if it is LE only. Core 6.0, Vol 4, Part E, 7.4.5.
public struct ReadBufferSizeReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Bytes, without the header.
    public var aclDataLength: UInt16
    /// The same for synchronous data, which LE has not.
    public var synchronousDataLength: UInt8
    /// How many such packets the controller has room for.
    public var aclPacketCount: UInt16
    /// How many synchronous packets; LE has none.
    public var synchronousPacketCount: UInt16

    public init(
        status: ControllerError = .success,
        aclDataLength: UInt16 = 0,
        synchronousDataLength: UInt8 = 0,
        aclPacketCount: UInt16 = 0,
        synchronousPacketCount: UInt16 = 0
    ) {
        self.status = status
        self.aclDataLength = aclDataLength
        self.synchronousDataLength = synchronousDataLength
        self.aclPacketCount = aclPacketCount
        self.synchronousPacketCount = synchronousPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        aclDataLength = try bytes.takeUInt16()
        synchronousDataLength = try bytes.takeUInt8()
        aclPacketCount = try bytes.takeUInt16()
        synchronousPacketCount = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(aclDataLength)
        out.appendUInt8(synchronousDataLength)
        out.appendUInt16(aclPacketCount)
        out.appendUInt16(synchronousPacketCount)
    }
}

/// What Read BD_ADDR returns: the controller's public address. Core 6.0, Vol 4, Part E, 7.4.6.
public struct ReadBDADDRReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// All zero where the controller has none.
    public var address: DeviceAddress

    public init(status: ControllerError = .success, address: DeviceAddress = DeviceAddress(value: 0, kind: .public)) {
        self.status = status
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        address = try DeviceAddress(parsing: &bytes, kind: .public)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        address.write(to: &out)
    }
}

/// Read RSSI: how loud the peer is heard. Core 6.0, Vol 4, Part E, 7.5.4.
public struct ReadRSSI: CommandParameters {
    public static var opcode: Opcode { .readRSSI }

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

/// What Read RSSI returns. Core 6.0, Vol 4, Part E, 7.5.4.
public struct ReadRSSIReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Nil where the controller cannot tell.
    public var rssi: SignalStrength?

    public init(status: ControllerError = .success, connection: ConnectionHandle, rssi: SignalStrength? = nil) {
        self.status = status
        self.connection = connection
        self.rssi = rssi
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        rssi = try bytes.takeSignalStrength()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendInt8(rssi?.dBm ?? 127)
    }
}
