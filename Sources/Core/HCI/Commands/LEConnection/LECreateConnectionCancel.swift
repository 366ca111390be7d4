public import BluethroatByteCoding

/// LE Create Connection Cancel: gives up initiating. Core 6.0, Vol 4, Part E, 7.8.13.
public struct LECreateConnectionCancel: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leCreateConnectionCancel,
            "LE Create Connection Cancel",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 5)
        )
    }

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

extension Opcode {
    /// LE Create Connection Cancel. 7.8.13.
    public static let leCreateConnectionCancel = Self(rawValue: 0x200E)
}

extension Command {
    /// LE Create Connection Cancel.
    public static var leCreateConnectionCancel: Self { Self(LECreateConnectionCancel()) }
}
