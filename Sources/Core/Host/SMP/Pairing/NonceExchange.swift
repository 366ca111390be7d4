internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// The nonces of Just Works, numeric comparison and out of band. Core 6.0, Vol 3, Part H, 2.3.5.6.2 and 2.3.5.6.4.
///
/// In the first two, the responder commits itself before it knows the initiator's nonce, so that a man in the middle
/// cannot choose a nonce that gives the same digits:
///
///     initiator                      responder
///         | <------ confirm --------- |
///         | ------- random ---------> |
///         | <------ random ---------- |   is it what was committed to?
enum NonceExchange: Sendable {
    case awaitingConfirm(own: Block128)
    case awaitingRandom(own: Block128, confirm: Block128?)

    init(
        _ terms: PairingTerms,
        _ agreement: KeyAgreement,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) {
        let own = random.block()
        switch (terms.role, terms.method) {
        case (.central, .outOfBand):
            actions.append(.send(.pairingRandom(own)))
            self = .awaitingRandom(own: own, confirm: nil)
        case (.central, _): self = .awaitingConfirm(own: own)
        case (.peripheral, .outOfBand): self = .awaitingRandom(own: own, confirm: nil)
        case (.peripheral, _):
            actions.append(.send(.pairingConfirm(agreement.ownCommitment(own, 0))))
            self = .awaitingRandom(own: own, confirm: nil)
        }
    }

    /// Handles a PDU; both nonces if it was the last.
    mutating func handlePDU(
        _ pdu: SMPPDU,
        _ terms: PairingTerms,
        _ agreement: KeyAgreement,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> PairingNonces? {
        switch (self, pdu) {
        case (.awaitingConfirm(let own), .pairingConfirm(let confirm)):
            actions.append(.send(.pairingRandom(own)))
            self = .awaitingRandom(own: own, confirm: confirm)
            return nil
        case (.awaitingRandom(let own, let confirm), .pairingRandom(let peer)):
            if let confirm, !ConstantTime.areEqual(confirm, agreement.peerCommitment(peer, 0)) {
                throw .confirmValueFailed
            }
            if terms.role == .peripheral { actions.append(.send(.pairingRandom(own))) }
            return PairingNonces(own: own, peer: peer, role: terms.role)
        default: throw .unspecified
        }
    }
}
