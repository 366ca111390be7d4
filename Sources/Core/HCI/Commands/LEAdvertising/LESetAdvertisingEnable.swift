public import BluethroatByteCoding

/// LE Set Advertising Enable: starts or stops legacy advertising. Core 6.0, Vol 4, Part E, 7.8.9.
public struct LESetAdvertisingEnable: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetAdvertisingEnable,
            "LE Set Advertising Enable",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 1)
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
            Field("Advertising_Enable", \.isEnabled)
        ]
    }
}

extension Opcode {
    /// LE Set Advertising Enable. 7.8.9.
    public static let leSetAdvertisingEnable = Self(rawValue: 0x200A)
}

extension Command {
    /// LE Set Advertising Enable.
    public static func leSetAdvertisingEnable(_ command: LESetAdvertisingEnable) -> Self { Self(command) }
}
