internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// Passkey entry of Secure Connections: one bit of the passkey is proven in each of twenty rounds, so that a wrong guess
/// costs an attacker the pairing after two rounds on average. Core 6.0, Vol 3, Part H, 2.3.5.6.3.
///
///     initiator                      responder
///         | ------- confirm --------> |  \
///         | <------ confirm --------- |   |  twenty
///         | ------- random ---------> |   |  times
///         | <------ random ---------- |  /
struct PasskeyRounds: Sendable {
    private enum State: Sendable {
        case awaitingConfirm(own: Block128)
        case awaitingRandom(own: Block128, confirm: Block128)
    }

    static let count = 20

    let passkey: Passkey
    /// From 0 to 19.
    private(set) var round = 0
    private var state: State

    init(
        _ passkey: Passkey,
        _ terms: PairingTerms,
        _ agreement: KeyAgreement,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) {
        self.passkey = passkey
        state = .awaitingConfirm(own: .zero)
        begin(terms, agreement, random: &random, into: &actions)
    }

    private var bit: UInt8 { 0x80 | passkey.bit(round) }

    private mutating func begin(
        _ terms: PairingTerms,
        _ agreement: KeyAgreement,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) {
        let own = random.block()
        if terms.role == .central { actions.append(.send(.pairingConfirm(agreement.ownCommitment(own, bit)))) }
        state = .awaitingConfirm(own: own)
    }

    /// Handles a PDU; the nonces of the last round if it was the last.
    mutating func handlePDU(
        _ pdu: SMPPDU,
        _ terms: PairingTerms,
        _ agreement: KeyAgreement,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> PairingNonces? {
        switch (state, pdu) {
        case (.awaitingConfirm(let own), .pairingConfirm(let confirm)):
            let commitment = agreement.ownCommitment(own, bit)
            guard confirm != commitment else { throw .confirmValueFailed }
            actions.append(.send(terms.role == .central ? .pairingRandom(own) : .pairingConfirm(commitment)))
            state = .awaitingRandom(own: own, confirm: confirm)
            return nil
        case (.awaitingRandom(let own, let confirm), .pairingRandom(let peer)):
            guard ConstantTime.areEqual(confirm, agreement.peerCommitment(peer, bit)) else {
                throw .confirmValueFailed
            }
            if terms.role == .peripheral { actions.append(.send(.pairingRandom(own))) }
            round += 1
            if round == Self.count { return PairingNonces(own: own, peer: peer, role: terms.role) }
            begin(terms, agreement, random: &random, into: &actions)
            return nil
        default: throw .unspecified
        }
    }
}
