public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Peer Resolvable Address: the private address a peer uses now. Core 6.0, Vol 4, Part E, 7.8.42.
public struct LEReadPeerResolvableAddress: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadPeerResolvableAddress,
            "LE Read Peer Resolvable Address",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 7),
            feature: .privacy
        )
    }
    public typealias Return = LEReadPeerResolvableAddressReturn

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

/// What LE Read Peer Resolvable Address returns. Core 6.0, Vol 4, Part E, 7.8.42.
public struct LEReadPeerResolvableAddressReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// The resolvable private address in use.
    public var address: DeviceAddress

    public init(status: ControllerError = .success, address: DeviceAddress = DeviceAddress(value: 0, kind: .random)) {
        self.status = status
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        address = try DeviceAddress(parsing: &bytes, kind: .random)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        address.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Peer_Resolvable_Address", \.address),
        ]
    }
}

extension Opcode {
    /// LE Read Peer Resolvable Address. 7.8.42.
    public static let leReadPeerResolvableAddress = Self(rawValue: 0x202B)
}

extension Command {
    /// LE Read Peer Resolvable Address.
    public static func leReadPeerResolvableAddress(_ command: LEReadPeerResolvableAddress) -> Self { Self(command) }
}
