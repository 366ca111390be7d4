public import BluethroatByteCoding

/// LE Generate DHKey [v1]: a shared secret from the controller's private key. Core 6.0, Vol 4, Part E, 7.8.37.
public struct LEGenerateDHKey: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leGenerateDHKey,
            "LE Generate DHKey [v1]",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 2),
            answer: .commandStatus(then: [.leGenerateDHKeyComplete])
        )
    }

    /// The peer's: x, then y, each least significant byte first.
    public var publicKey: [UInt8]

    public init(publicKey: [UInt8]) {
        self.publicKey = publicKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        publicKey = try bytes.takeBytes(64)
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(64, publicKey)
    }

    public static var fields: [Field<Self>] {
        [
            .bytes("Key_X_Coordinate", .fixed(32)) { Array($0.publicKey.prefix(32)) },
            .bytes("Key_Y_Coordinate", .fixed(32)) { Array($0.publicKey.suffix(32)) },
        ]
    }
}

extension Opcode {
    /// LE Generate DHKey [v1]. 7.8.37.
    public static let leGenerateDHKey = Self(rawValue: 0x2026)
}

extension Command {
    /// LE Generate DHKey [v1].
    public static func leGenerateDHKey(_ command: LEGenerateDHKey) -> Self { Self(command) }
}
