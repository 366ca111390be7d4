public import BluethroatByteCoding

/// LE Read Local P-256 Public Key: makes a new key pair. Core 6.0, Vol 4, Part E, 7.8.36.
public struct LEReadLocalP256PublicKey: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadLocalP256PublicKey,
            "LE Read Local P-256 Public Key",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 1),
            answer: .commandStatus(then: [.leReadLocalP256PublicKeyComplete])
        )
    }

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

extension Opcode {
    /// LE Read Local P-256 Public Key. 7.8.36.
    public static let leReadLocalP256PublicKey = Self(rawValue: 0x2025)
}

extension Command {
    /// LE Read Local P-256 Public Key.
    public static var leReadLocalP256PublicKey: Self { Self(LEReadLocalP256PublicKey()) }
}
