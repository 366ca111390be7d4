public import BluethroatByteCoding

/// LE Set Extended Scan Enable: starts or stops extended scanning. Core 6.0, Vol 4, Part E, 7.8.65.
public struct LESetExtendedScanEnable: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetExtendedScanEnable,
            "LE Set Extended Scan Enable",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 6)
        )
    }

    /// On or off.
    public var isEnabled: Bool
    /// Whether an advertiser is reported again.
    public var duplicateFilter: DuplicateFilter
    /// How long to scan: steps of 10 ms; 0 goes on until stopped.
    public var duration: UInt16
    /// From one scan's start to the next: steps of 1.28 s; 0 scans once.
    public var period: UInt16

    public init(isEnabled: Bool, duplicateFilter: DuplicateFilter = .off, duration: UInt16 = 0, period: UInt16 = 0) {
        self.isEnabled = isEnabled
        self.duplicateFilter = duplicateFilter
        self.duration = duration
        self.period = period
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isEnabled = try bytes.takeBool("is enabled")
        duplicateFilter = try bytes.takeEnum("duplicate filter")
        duration = try bytes.takeUInt16()
        period = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(isEnabled ? 1 : 0)
        out.append(duplicateFilter.rawValue)
        out.appendUInt16(duration)
        out.appendUInt16(period)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Enable", \.isEnabled),
            Field("Filter_Duplicates", \.duplicateFilter),
            Field("Duration", unit: .centiseconds, \.duration),
            Field("Period", \.period),
        ]
    }

    /// Whether an advertiser is reported again.
    public enum DuplicateFilter: UInt8, Sendable {
        case off = 0
        case on = 1
        /// On, and forgotten at the start of each period.
        case onResetEachPeriod = 2
    }
}

extension Opcode {
    /// LE Set Extended Scan Enable. 7.8.65.
    public static let leSetExtendedScanEnable = Self(rawValue: 0x2042)
}

extension Command {
    /// LE Set Extended Scan Enable.
    public static func leSetExtendedScanEnable(_ command: LESetExtendedScanEnable) -> Self { Self(command) }
}
