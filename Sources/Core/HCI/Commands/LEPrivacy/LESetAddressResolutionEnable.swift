public import BluethroatByteCoding

/// LE Set Address Resolution Enable: starts or stops resolving private addresses. Core 6.0, Vol 4, Part E, 7.8.44.
public struct LESetAddressResolutionEnable: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetAddressResolutionEnable,
            "LE Set Address Resolution Enable",
            supportedBit: SupportedCommandsBit(octet: 35, bit: 1),
            feature: .privacy
        )
    }

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

    public static var fields: [Field<Self>] {
        [
            Field("Address_Resolution_Enable", \.isEnabled)
        ]
    }
}

extension Opcode {
    /// LE Set Address Resolution Enable. 7.8.44.
    public static let leSetAddressResolutionEnable = Self(rawValue: 0x202D)
}

extension Command {
    /// LE Set Address Resolution Enable.
    public static func leSetAddressResolutionEnable(_ command: LESetAddressResolutionEnable) -> Self { Self(command) }
}
