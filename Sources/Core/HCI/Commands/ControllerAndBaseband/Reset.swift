public import BluethroatByteCoding

/// Reset: everything as after power-up, but for the address. Core 6.0, Vol 4, Part E, 7.3.2.
public struct Reset: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .reset,
            "Reset",
            supportedBit: SupportedCommandsBit(octet: 5, bit: 7)
        )
    }

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

extension Opcode {
    /// Reset. 7.3.2.
    public static let reset = Self(rawValue: 0x0C03)
}

extension Command {
    /// Reset.
    public static var reset: Self { Self(Reset()) }
}
