public import BluethroatByteCoding

/// LE Add Device To Resolving List: lets the controller see through a peer's private addresses. Core 6.0, Vol 4, Part E, 7.8.38.
public struct LEAddDeviceToResolvingList: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leAddDeviceToResolvingList,
            "LE Add Device To Resolving List",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 3),
            feature: .privacy
        )
    }

    /// Public or static random. Type 0 or 1.
    public var identity: PeerAddress
    /// Peer's IRK, least significant byte first; all zero if it has none.
    public var peerResolvingKey: [UInt8]
    /// The IRK to use with this peer; all zero if none.
    public var localResolvingKey: [UInt8]

    public init(identity: PeerAddress, peerResolvingKey: [UInt8], localResolvingKey: [UInt8]) {
        self.identity = identity
        self.peerResolvingKey = peerResolvingKey
        self.localResolvingKey = localResolvingKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        identity = try PeerAddress(parsing: &bytes)
        peerResolvingKey = try bytes.takeBytes(16)
        localResolvingKey = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        identity.write(to: &out)
        out.appendExactly(16, peerResolvingKey)
        out.appendExactly(16, localResolvingKey)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Peer_Identity_Address_Type", \.identity.type),
            Field("Peer_Identity_Address", \.identity.address),
            .bytes("Peer_IRK", .fixed(16), \.peerResolvingKey),
            .bytes("Local_IRK", .fixed(16), \.localResolvingKey),
        ]
    }
}

extension Opcode {
    /// LE Add Device To Resolving List. 7.8.38.
    public static let leAddDeviceToResolvingList = Self(rawValue: 0x2027)
}

extension Command {
    /// LE Add Device To Resolving List.
    public static func leAddDeviceToResolvingList(_ command: LEAddDeviceToResolvingList) -> Self { Self(command) }
}
