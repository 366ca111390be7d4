public import BluethroatByteCoding

/// LE Clear Filter Accept List: takes all devices out of the list. Core 6.0, Vol 4, Part E, 7.8.15.
public struct LEClearFilterAcceptList: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leClearFilterAcceptList,
            "LE Clear Filter Accept List",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 7)
        )
    }

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

extension Opcode {
    /// LE Clear Filter Accept List. 7.8.15.
    public static let leClearFilterAcceptList = Self(rawValue: 0x2010)
}

extension Command {
    /// LE Clear Filter Accept List.
    public static var leClearFilterAcceptList: Self { Self(LEClearFilterAcceptList()) }
}
