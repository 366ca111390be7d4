public import BluethroatByteCoding

/// LE Remove Device From Resolving List: forgets a peer's keys. Core 6.0, Vol 4, Part E, 7.8.39.
public struct LERemoveDeviceFromResolvingList: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leRemoveDeviceFromResolvingList,
            "LE Remove Device From Resolving List",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 4),
            feature: .privacy
        )
    }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress

    public init(identity: PeerAddress) {
        self.identity = identity
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Peer_Identity_Address_Type", \.identity.type),
            Field("Peer_Identity_Address", \.identity.address),
        ]
    }
}

extension Opcode {
    /// LE Remove Device From Resolving List. 7.8.39.
    public static let leRemoveDeviceFromResolvingList = Self(rawValue: 0x2028)
}

extension Command {
    /// LE Remove Device From Resolving List.
    public static func leRemoveDeviceFromResolvingList(_ command: LERemoveDeviceFromResolvingList) -> Self {
        Self(command)
    }
}
