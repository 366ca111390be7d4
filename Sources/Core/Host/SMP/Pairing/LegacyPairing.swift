internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// The second phase of LE legacy pairing: two commitments, two random values, a short term key. Core 6.0, Vol 3,
/// Part H, 2.3.5.2 to 2.3.5.5.
///
///     initiator                      responder
///         | ------- confirm --------> |
///         | <------ confirm --------- |
///         | ------- random ---------> |   is it what was committed to?
///         | <------ random ---------- |
struct LegacyPairing: Sendable {
    private enum State: Sendable {
        /// A person types the passkey; the peer may have been quicker.
        case awaitingPasskey(early: Block128?)
        case awaitingConfirm(temporaryKey: Block128, random: Block128)
        case awaitingRandom(temporaryKey: Block128, random: Block128, confirm: Block128)
    }

    private var state: State

    init(
        _ terms: PairingTerms,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        let temporaryKey: Block128
        switch terms.method {
        case .justWorks, .numericComparison: temporaryKey = .zero
        case .outOfBand:
            guard let key = terms.settings.outOfBand.temporaryKey else { throw .outOfBandNotAvailable }
            temporaryKey = key
        case .passkeyEntry(terms.role):
            let passkey = terms.settings.passkey(&random)
            actions.append(.ask(.display(passkey)))
            temporaryKey = passkey.block
        case .passkeyEntry:
            actions.append(.ask(.enter))
            state = .awaitingPasskey(early: nil)
            return
        }
        state = Self.begun(terms, temporaryKey: temporaryKey, random: &random, into: &actions)
    }

    /// The person has typed; false if there was no question.
    mutating func enter(
        _ passkey: Passkey,
        _ terms: PairingTerms,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> Bool {
        guard case .awaitingPasskey(let early) = state else { return false }
        state = Self.begun(terms, temporaryKey: passkey.block, random: &random, into: &actions)
        if let early { _ = try handlePDU(.pairingConfirm(early), terms, into: &actions) }
        return true
    }

    var isAwaitingPasskey: Bool {
        if case .awaitingPasskey = state { true } else { false }
    }

    /// Handles a PDU; the short term key if it was the last.
    mutating func handlePDU(
        _ pdu: SMPPDU,
        _ terms: PairingTerms,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> AgreedKey? {
        switch (state, pdu) {
        case (.awaitingPasskey(early: nil), .pairingConfirm(let confirm)) where terms.role == .peripheral:
            state = .awaitingPasskey(early: confirm)
            return nil
        case (.awaitingConfirm(let key, let random), .pairingConfirm(let confirm)):
            let own = terms.legacyConfirm(temporaryKey: key, random: random)
            // A peer that sends our own commitment back would next send our own random value back.
            guard confirm != own else { throw .confirmValueFailed }
            actions.append(.send(terms.role == .central ? .pairingRandom(random) : .pairingConfirm(own)))
            state = .awaitingRandom(temporaryKey: key, random: random, confirm: confirm)
            return nil
        case (.awaitingRandom(let key, let random, let confirm), .pairingRandom(let peerRandom)):
            let expected = terms.legacyConfirm(temporaryKey: key, random: peerRandom)
            guard ConstantTime.areEqual(confirm, expected) else { throw .confirmValueFailed }
            if terms.role == .peripheral { actions.append(.send(.pairingRandom(random))) }
            let (initiator, responder) = terms.role == .central ? (random, peerRandom) : (peerRandom, random)
            let shortTermKey = terms.shortTermKey(temporaryKey: key, initiator: initiator, responder: responder)
            return AgreedKey(value: shortTermKey, usesDebugKey: false)
        default: throw .unspecified
        }
    }

    private static func begun(
        _ terms: PairingTerms,
        temporaryKey: Block128,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) -> State {
        let value = random.block()
        if terms.role == .central {
            let confirm = terms.legacyConfirm(temporaryKey: temporaryKey, random: value)
            actions.append(.send(.pairingConfirm(confirm)))
        }
        return .awaitingConfirm(temporaryKey: temporaryKey, random: value)
    }
}

extension PairingTerms {
    /// The commitment to a random value. Core 6.0, Vol 3, Part H, 2.2.3.
    func legacyConfirm(temporaryKey: Block128, random: Block128) -> Block128 {
        PairingFunctions.c1(
            k: temporaryKey,
            r: random,
            preq: SMPPDU.pairingRequest(request).bytes,
            pres: SMPPDU.pairingResponse(response).bytes,
            ia: addresses.initiator,
            ra: addresses.responder
        )
    }

    /// Core 6.0, Vol 3, Part H, 2.2.4 and 2.3.5.5.
    func shortTermKey(temporaryKey: Block128, initiator: Block128, responder: Block128) -> Block128 {
        PairingFunctions.s1(k: temporaryKey, r1: responder, r2: initiator).shortened(toOctets: keySize)
    }
}

extension PairingSettings {
    /// The passkey to show.
    func passkey(_ random: inout CipherRandom) -> Passkey {
        switch passkey {
        case .fresh: random.passkey()
        case .fixed(let passkey): passkey
        }
    }
}
