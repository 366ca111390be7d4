/// A private key of LE Secure Connections with its public half. Core 6.0, Vol 3, Part H, 2.3.5.6.1.
///
/// Each pairing has a fresh one. The caller provides the randomness: a world its seeded stream, a live device the
/// system's.
public struct P256KeyPair: Sendable {
    private let key: AgreementKey

    /// What the peer receives.
    public var publicKey: P256PublicKey { P256PublicKey(of: key) }

    /// The pair of a private key; nil for 0 and for the curve's order and above.
    public init?(privateKey: Block256) {
        guard let key = AgreementKey(privateKey) else { return nil }
        self.key = key
    }

    /// A pair drawn from random numbers; the same stream gives the same pair.
    ///
    /// A draw that is no private key, one in four thousand million, is followed by another.
    public init(using generator: inout some RandomNumberGenerator) {
        while true {
            let high = Block128(high: generator.next(), low: generator.next())
            let low = Block128(high: generator.next(), low: generator.next())
            if let pair = Self(privateKey: Block256(high: high, low: low)) {
                self = pair
                return
            }
        }
    }

    /// The key pair that the specification publishes: a capture of a pairing made with it is enough to read the link.
    public static let debug: Self = {
        let privateKey = Block256(
            high: Block128(high: 0x3F49_F6D4_A3C5_5F38, low: 0x74C9_B3E3_D210_3F50),
            low: Block128(high: 0x4AFF_607B_EB40_B799, low: 0x5899_B8A6_CD3C_1ABD)
        )
        guard let pair = Self(privateKey: privateKey) else { preconditionFailure("the debug key is a key") }
        return pair
    }()

    /// DHKey: the secret that this side and the peer have in common. Core 6.0, Vol 3, Part H, 2.2.7 and 2.3.5.6.1.
    public func sharedSecret(with peer: P256PublicKey) -> Block256 { key.agree(with: peer.point) }

    /// Whether a peer has sent our own key back to us: the same X coordinate, whatever the Y. Then the pairing has to
    /// fail, since such a peer can echo our confirm values without knowing anything.
    ///
    /// Two devices that both use the debug key mean no harm. Core 6.0, Vol 3, Part H, 2.3.5.6.1.
    public func isReflected(by peer: P256PublicKey) -> Bool {
        peer.x == publicKey.x && !publicKey.isDebugKey
    }
}
