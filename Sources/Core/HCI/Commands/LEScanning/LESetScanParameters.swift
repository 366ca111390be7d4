public import BluethroatByteCoding

/// LE Set Scan Parameters: how legacy scanning is done. Core 6.0, Vol 4, Part E, 7.8.10.
public struct LESetScanParameters: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetScanParameters,
            "LE Set Scan Parameters",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 2)
        )
    }

    /// Whether to ask advertisers for their scan response.
    public var isActive: Bool
    /// From one window's start to the next: steps of 0.625 ms, 0x0004 to 0x4000.
    public var interval: UInt16
    /// How long to listen each time: steps of 0.625 ms, not more than the interval.
    public var window: UInt16
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
    /// The devices that are reported.
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

    public static var fields: [Field<Self>] {
        [
            Field("LE_Scan_Type", \.isActive),
            Field("LE_Scan_Interval", unit: .slots, \.interval),
            Field("LE_Scan_Window", unit: .slots, \.window),
            Field("Own_Address_Type", \.ownAddressType),
            Field("Scanning_Filter_Policy", \.filterPolicy),
        ]
    }
}

extension Opcode {
    /// LE Set Scan Parameters. 7.8.10.
    public static let leSetScanParameters = Self(rawValue: 0x200B)
}

extension Command {
    /// LE Set Scan Parameters.
    public static func leSetScanParameters(_ command: LESetScanParameters) -> Self { Self(command) }
}
