public import BluethroatByteCoding

/// LE Set Privacy Mode: whether a peer with keys may also use its identity address. Core 6.0, Vol 4, Part E, 7.8.77.
public struct LESetPrivacyMode: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetPrivacyMode,
            "LE Set Privacy Mode",
            supportedBit: SupportedCommandsBit(octet: 39, bit: 2),
            feature: .privacy
        )
    }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress
    /// How strict to be; network mode after adding a peer.
    public var mode: Mode

    public init(identity: PeerAddress, mode: Mode) {
        self.identity = identity
        self.mode = mode
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
        mode = try bytes.takeEnum("mode")
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
        out.append(mode.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Peer_Identity_Address_Type", \.identity.type),
            Field("Peer_Identity_Address", \.identity.address),
            Field("Privacy_Mode", \.mode),
        ]
    }

    /// How strictly a peer's privacy is taken.
    public enum Mode: UInt8, Sendable {
        /// The peer must use private addresses.
        case network = 0
        /// The peer may use its identity address too.
        case device = 1
    }
}

extension Opcode {
    /// LE Set Privacy Mode. 7.8.77.
    public static let leSetPrivacyMode = Self(rawValue: 0x204E)
}

extension Command {
    /// LE Set Privacy Mode.
    public static func leSetPrivacyMode(_ command: LESetPrivacyMode) -> Self { Self(command) }
}
