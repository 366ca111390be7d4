/// A public key of LE Secure Connections: a point of the curve P-256, which a value of this type always is.
/// Core 6.0, Vol 3, Part H, 2.3.5.6.1; Vol 2, Part H, 7.6.
public struct P256PublicKey: Sendable {
    /// What a peer sent is no point of the curve; with it our private key would be given away bit by bit.
    public struct InvalidPoint: Error, Equatable, Sendable {
        public init() {}
    }

    /// Bytes of a public key in HCI and SMP packets: X and Y.
    public static let byteCount = 64

    /// The X coordinate, which is what f4 and g2 know of the key.
    public var x: Block256 { point.x }
    /// The Y coordinate.
    public var y: Block256 { point.y }

    let point: CurvePoint

    /// The key of two coordinates, if they are a point of the curve: both below the field's prime and
    /// y² = x³ - 3x + b. The pair (0, 0) is none.
    public init(x: Block256, y: Block256) throws(InvalidPoint) {
        guard let point = CurvePoint(x: x, y: y) else { throw InvalidPoint() }
        self.point = point
    }

    /// The key of 64 bytes, X and then Y, each least significant byte first, as in HCI and SMP packets; any other
    /// count is no point either.
    public init(littleEndian bytes: [UInt8]) throws(InvalidPoint) {
        guard bytes.count == Self.byteCount, let x = Block256(littleEndian: bytes.prefix(32)),
            let y = Block256(littleEndian: bytes.suffix(32))
        else { throw InvalidPoint() }
        try self.init(x: x, y: y)
    }

    /// The public half of a private key.
    init(of key: AgreementKey) { point = key.point }

    /// Appends the 64 bytes, X and then Y, each least significant byte first, as in HCI and SMP packets.
    public func write(to out: inout [UInt8]) {
        x.write(to: &out)
        y.write(to: &out)
    }

    /// The 64 bytes, X and then Y, each least significant byte first, as in HCI and SMP packets.
    public var littleEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        write(to: &bytes)
        return bytes
    }

    /// Whether this is the public half of the debug key pair, with which a sniffer reads along.
    public var isDebugKey: Bool { self == P256KeyPair.debug.publicKey }
}

extension P256PublicKey: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.x == right.x && left.y == right.y }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(x)
        hasher.combine(y)
    }
}
