public import BluethroatByteCoding

/// LE Set Scan Enable: starts or stops legacy scanning. Core 6.0, Vol 4, Part E, 7.8.11.
public struct LESetScanEnable: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetScanEnable,
            "LE Set Scan Enable",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 3)
        )
    }

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

    public static var fields: [Field<Self>] {
        [
            Field("LE_Scan_Enable", \.isEnabled),
            Field("Filter_Duplicates", \.filtersDuplicates),
        ]
    }
}

extension Opcode {
    /// LE Set Scan Enable. 7.8.11.
    public static let leSetScanEnable = Self(rawValue: 0x200C)
}

extension Command {
    /// LE Set Scan Enable.
    public static func leSetScanEnable(_ command: LESetScanEnable) -> Self { Self(command) }
}
