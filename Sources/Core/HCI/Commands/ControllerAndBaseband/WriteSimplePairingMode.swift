public import BluethroatByteCoding

/// Write Simple Pairing Mode: whether BR/EDR devices may pair with Secure Simple Pairing. Core 6.0, Vol 4, Part E, 7.3.59.
public struct WriteSimplePairingMode: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .writeSimplePairingMode,
            "Write Simple Pairing Mode",
            supportedBit: SupportedCommandsBit(octet: 17, bit: 6)
        )
    }

    /// On or off.
    public var isEnabled: Bool

    public init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isEnabled = try bytes.takeBool("simple pairing mode")
    }

    public func write(to out: inout [UInt8]) {
        out.append(isEnabled ? 1 : 0)
    }

    public static var fields: [Field<Self>] {
        [Field("Simple_Pairing_Mode", \.isEnabled)]
    }
}

extension Opcode {
    /// Write Simple Pairing Mode. 7.3.59.
    public static let writeSimplePairingMode = Self(rawValue: 0x0C56)
}

extension Command {
    /// Write Simple Pairing Mode.
    public static func writeSimplePairingMode(_ command: WriteSimplePairingMode) -> Self { Self(command) }
}
