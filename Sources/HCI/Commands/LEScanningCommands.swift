public import ByteCoding

/// LE Set Scan Parameters: how legacy scanning is done. Core 6.0, Vol 4, Part E, 7.8.10.
public struct LESetScanParameters: CommandParameters {
    public static var opcode: Opcode { .leSetScanParameters }

    /// Whether to ask advertisers for their scan response.
    public var isActive: Bool
    /// From one window's start to the next: steps of 0.625 ms, 0x0004 to 0x4000.
    public var interval: UInt16
    /// How long to listen each time: steps of 0.625 ms, not more than the interval.
    public var window: UInt16
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
    /// Who is heard.
    public var filterPolicy: ScanFilterPolicy

    public init(
        isActive: Bool = false,
        interval: UInt16 = 0x0010,
        window: UInt16 = 0x0010,
        ownAddressType: OwnAddressType = .public,
        filterPolicy: ScanFilterPolicy = .basicUnfiltered
    ) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isActive = try bytes.takeBool("is active")
        interval = try bytes.takeUInt16()
        window = try bytes.takeUInt16()
        ownAddressType = try bytes.takeEnum("own address type")
        filterPolicy = try bytes.takeEnum("filter policy")
    }

    public func write(to out: inout [UInt8]) {
        out.append(isActive ? 1 : 0)
        out.appendUInt16(interval)
        out.appendUInt16(window)
        out.append(ownAddressType.rawValue)
        out.append(filterPolicy.rawValue)
    }
}

/// LE Set Scan Enable: starts or stops legacy scanning. Core 6.0, Vol 4, Part E, 7.8.11.
public struct LESetScanEnable: CommandParameters {
    public static var opcode: Opcode { .leSetScanEnable }

    /// On or off.
    public var isEnabled: Bool
    /// Report each advertiser once.
    public var filtersDuplicates: Bool

    public init(isEnabled: Bool, filtersDuplicates: Bool = false) {
        self.isEnabled = isEnabled
        self.filtersDuplicates = filtersDuplicates
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isEnabled = try bytes.takeBool("is enabled")
        filtersDuplicates = try bytes.takeBool("filters duplicates")
    }

    public func write(to out: inout [UInt8]) {
        out.append(isEnabled ? 1 : 0)
        out.append(filtersDuplicates ? 1 : 0)
    }
}
