public import BluethroatByteCoding

/// LE Clear Resolving List: takes all devices out of the list. Core 6.0, Vol 4, Part E, 7.8.40.
public struct LEClearResolvingList: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leClearResolvingList,
            "LE Clear Resolving List",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 5),
            feature: .privacy
        )
    }

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

extension Opcode {
    /// LE Clear Resolving List. 7.8.40.
    public static let leClearResolvingList = Self(rawValue: 0x2029)
}

extension Command {
    /// LE Clear Resolving List.
    public static var leClearResolvingList: Self { Self(LEClearResolvingList()) }
}
