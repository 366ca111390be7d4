public import BluethroatByteCoding

/// LE Generate DHKey [v2]: a shared secret from one of the controller's private keys. Core 6.0, Vol 4, Part E, 7.8.37.
public struct LEGenerateDHKeyV2: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leGenerateDHKeyV2,
            "LE Generate DHKey [v2]",
            supportedBit: SupportedCommandsBit(octet: 41, bit: 2),
            answer: .commandStatus(then: [.leGenerateDHKeyComplete])
        )
    }

    /// The peer's: x, then y, each least significant byte first.
    public var publicKey: [UInt8]
    /// Use the specification's debug private key instead of the one generated.
    public var usesDebugKey: Bool

    public init(publicKey: [UInt8], usesDebugKey: Bool = false) {
        self.publicKey = publicKey
        self.usesDebugKey = usesDebugKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        publicKey = try bytes.takeBytes(64)
        usesDebugKey = try bytes.takeBool("uses debug key")
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(64, publicKey)
        out.append(usesDebugKey ? 1 : 0)
    }

    public static var fields: [Field<Self>] {
        [
            .bytes("Key_X_Coordinate", .fixed(32)) { Array($0.publicKey.prefix(32)) },
            .bytes("Key_Y_Coordinate", .fixed(32)) { Array($0.publicKey.suffix(32)) },
            Field("Key_Type", \.usesDebugKey),
        ]
    }
}

extension Opcode {
    /// LE Generate DHKey [v2]. 7.8.37.
    public static let leGenerateDHKeyV2 = Self(rawValue: 0x205E)
}

extension Command {
    /// LE Generate DHKey [v2].
    public static func leGenerateDHKeyV2(_ command: LEGenerateDHKeyV2) -> Self { Self(command) }
}
