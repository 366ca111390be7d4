public import BluethroatByteCoding

/// LE Clear Advertising Sets: forgets all advertising sets. Core 6.0, Vol 4, Part E, 7.8.60.
public struct LEClearAdvertisingSets: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leClearAdvertisingSets,
            "LE Clear Advertising Sets",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 1)
        )
    }

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

extension Opcode {
    /// LE Clear Advertising Sets. 7.8.60.
    public static let leClearAdvertisingSets = Self(rawValue: 0x203D)
}

extension Command {
    /// LE Clear Advertising Sets.
    public static var leClearAdvertisingSets: Self { Self(LEClearAdvertisingSets()) }
}
