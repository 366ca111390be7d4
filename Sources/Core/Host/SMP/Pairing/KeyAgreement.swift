internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// What two devices have in common once they have exchanged public keys. Core 6.0, Vol 3, Part H, 2.3.5.6.1.
///
/// It never changes, and is an object as `PairingTerms` is.
final class KeyAgreement: Sendable {
    let own: P256PublicKey
    let peer: P256PublicKey
    /// DHKey.
    let secret: Block256

    /// Refuses a point that is not on the curve, and one that is this host's own: a peer that has nothing but what it
    /// has heard would reflect every proof.
    init(
        _ pair: P256KeyPair,
        _ pdu: PairingPublicKey,
        _ settings: PairingSettings
    ) throws(PairingFailureReason) {
        guard let peer = try? P256PublicKey(x: pdu.x, y: pdu.y), !pair.isReflected(by: peer) else {
            throw .dhKeyCheckFailed
        }
        let acceptsDebugKey = settings.acceptsDebugKey || settings.privateKey == .debug
        guard acceptsDebugKey || peer.x != P256KeyPair.debug.publicKey.x else { throw .authenticationRequirements }
        own = pair.publicKey
        self.peer = peer
        secret = pair.sharedSecret(with: peer)
    }

    var usesDebugKey: Bool {
        let debug = P256KeyPair.debug.publicKey.x
        return own.x == debug || peer.x == debug
    }

    /// This host's commitment to a nonce.
    func ownCommitment(_ nonce: Block128, _ bit: UInt8) -> Block128 {
        PairingFunctions.f4(u: own.x, v: peer.x, x: nonce, z: bit)
    }

    /// What the peer has to have committed to if this is its nonce.
    func peerCommitment(_ nonce: Block128, _ bit: UInt8) -> Block128 {
        PairingFunctions.f4(u: peer.x, v: own.x, x: nonce, z: bit)
    }

    /// The six digits that both show. Core 6.0, Vol 3, Part H, 2.2.9.
    func digits(_ nonces: PairingNonces, role: ConnectionRole) -> Passkey {
        let (initiator, responder) = role == .central ? (own, peer) : (peer, own)
        let value = PairingFunctions.numericComparisonValue(
            u: initiator.x,
            v: responder.x,
            x: nonces.initiator,
            y: nonces.responder
        )
        guard let digits = Passkey(value) else { preconditionFailure("people compare six digits") }
        return digits
    }
}

/// One random value of each device.
struct PairingNonces: Sendable {
    var initiator: Block128
    var responder: Block128

    init(own: Block128, peer: Block128, role: ConnectionRole) {
        initiator = role == .central ? own : peer
        responder = role == .central ? peer : own
    }
}
