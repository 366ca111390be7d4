internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues

/// What this host gives away on another way, and the private key behind it. Good for one pairing. Core 6.0, Vol 3,
/// Part H, 2.3.5.6.4.
struct LocalOutOfBand: Sendable {
    let keys: P256KeyPair
    let data: OutOfBandData

    init(random: inout CipherRandom) {
        keys = P256KeyPair(using: &random)
        let value = random.block()
        data = OutOfBandData(confirm: keys.publicKey.outOfBandConfirm(value), random: value)
    }
}

/// The second phase of LE Secure Connections: public keys, a proof that there is no man in the middle, a proof that
/// both have derived the same key. Core 6.0, Vol 3, Part H, 2.3.5.6.
struct SecureConnectionsPairing: Sendable {
    private enum State: Sendable {
        case awaitingPublicKey(P256KeyPair)
        /// A person types the passkey; the initiator may have been quicker.
        case awaitingPasskey(KeyAgreement, early: Block128?)
        case exchangingNonces(KeyAgreement, NonceExchange)
        case provingPasskey(KeyAgreement, PasskeyRounds)
        /// A person compares six digits; the initiator may have been quicker.
        case comparing(KeyCheck, peerHasProven: Bool)
        case awaitingCheck(KeyCheck)
    }

    private var state: State
    /// Of the out of band method; of passkey entry once it is known.
    private var values: CheckValues

    /// `local` is what this host has given away on another way, if it has.
    init(
        _ terms: PairingTerms,
        local: LocalOutOfBand?,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        values = CheckValues()
        var keys: P256KeyPair?
        if terms.method == .outOfBand {
            var own = Block128.zero
            var peer = Block128.zero
            if terms.hasOutOfBandData(terms.peerRole) {
                guard let local else { throw .outOfBandNotAvailable }
                own = local.data.random
                keys = local.keys
            }
            if terms.hasOutOfBandData(terms.role) {
                guard let received = terms.settings.outOfBand.secureConnections else { throw .outOfBandNotAvailable }
                peer = received.random
            }
            values.initiator = terms.role == .central ? own : peer
            values.responder = terms.role == .central ? peer : own
        }
        let pair: P256KeyPair =
            switch (keys, terms.settings.privateKey) {
            case (let keys?, _): keys
            case (nil, .fresh): P256KeyPair(using: &random)
            case (nil, .debug): .debug
            }
        if terms.role == .central { actions.append(.send(pair.publicKey.pdu)) }
        state = .awaitingPublicKey(pair)
    }

    var isAwaitingPasskey: Bool {
        if case .awaitingPasskey = state { true } else { false }
    }

    var isComparing: Bool {
        if case .comparing = state { true } else { false }
    }

    /// The person has typed; false if there was no question.
    mutating func enter(
        _ passkey: Passkey,
        _ terms: PairingTerms,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> Bool {
        guard case .awaitingPasskey(let agreement, let early) = state else { return false }
        beginRounds(passkey, terms, agreement, random: &random, into: &actions)
        if let early { _ = try handlePDU(.pairingConfirm(early), terms, random: &random, into: &actions) }
        return true
    }

    /// The person has seen the same digits on both: the key if all is proven, nil if the peer's check is still to come.
    /// Only while `isComparing`.
    mutating func agree(_ terms: PairingTerms, into actions: inout [PairingAction]) -> AgreedKey? {
        guard case .comparing(let check, let peerHasProven) = state else {
            preconditionFailure("a person agreed to digits that were not shown")
        }
        if terms.role == .central || peerHasProven { actions.append(.send(.pairingDHKeyCheck(check.own))) }
        state = .awaitingCheck(check)
        return peerHasProven ? check.key : nil
    }

    /// Handles a PDU; the key if it was the last.
    mutating func handlePDU(
        _ pdu: SMPPDU,
        _ terms: PairingTerms,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) -> AgreedKey? {
        switch (state, pdu) {
        case (.awaitingPublicKey(let pair), .pairingPublicKey(let peer)):
            try handlePublicKey(peer, pair, terms, random: &random, into: &actions)
        case (.awaitingPasskey(let agreement, early: nil), .pairingConfirm(let confirm))
        where terms.role == .peripheral:
            state = .awaitingPasskey(agreement, early: confirm)
        case (.exchangingNonces(let agreement, var exchange), _):
            let nonces = try exchange.handlePDU(pdu, terms, agreement, into: &actions)
            state = .exchangingNonces(agreement, exchange)
            if let nonces { prove(terms, agreement, nonces, into: &actions) }
        case (.provingPasskey(let agreement, var rounds), _):
            let nonces = try rounds.handlePDU(pdu, terms, agreement, random: &random, into: &actions)
            state = .provingPasskey(agreement, rounds)
            if let nonces { prove(terms, agreement, nonces, into: &actions) }
        case (.comparing(let check, peerHasProven: false), .pairingDHKeyCheck(let proof))
        where terms.role == .peripheral:
            guard check.accepts(proof) else { throw .dhKeyCheckFailed }
            state = .comparing(check, peerHasProven: true)
        case (.awaitingCheck(let check), .pairingDHKeyCheck(let proof)):
            guard check.accepts(proof) else { throw .dhKeyCheckFailed }
            if terms.role == .peripheral { actions.append(.send(.pairingDHKeyCheck(check.own))) }
            return check.key
        default: throw .unspecified
        }
        return nil
    }

    /// The peer's public key is there.
    private mutating func handlePublicKey(
        _ peer: PairingPublicKey,
        _ pair: P256KeyPair,
        _ terms: PairingTerms,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) throws(PairingFailureReason) {
        let agreement = try KeyAgreement(pair, peer, terms.settings)
        if terms.role == .peripheral { actions.append(.send(pair.publicKey.pdu)) }
        switch terms.method {
        case .passkeyEntry(terms.role):
            let passkey = terms.settings.passkey(&random)
            actions.append(.ask(.display(passkey)))
            beginRounds(passkey, terms, agreement, random: &random, into: &actions)
        case .passkeyEntry:
            actions.append(.ask(.enter))
            state = .awaitingPasskey(agreement, early: nil)
        case .outOfBand:
            if let received = terms.settings.outOfBand.secureConnections, terms.hasOutOfBandData(terms.role) {
                let expected = agreement.peer.outOfBandConfirm(received.random)
                guard ConstantTime.areEqual(received.confirm, expected) else { throw .confirmValueFailed }
            }
            state = .exchangingNonces(agreement, NonceExchange(terms, agreement, random: &random, into: &actions))
        case .justWorks, .numericComparison:
            state = .exchangingNonces(agreement, NonceExchange(terms, agreement, random: &random, into: &actions))
        }
    }

    private mutating func beginRounds(
        _ passkey: Passkey,
        _ terms: PairingTerms,
        _ agreement: KeyAgreement,
        random: inout CipherRandom,
        into actions: inout [PairingAction]
    ) {
        values = CheckValues(initiator: passkey.block, responder: passkey.block)
        let rounds = PasskeyRounds(passkey, terms, agreement, random: &random, into: &actions)
        state = .provingPasskey(agreement, rounds)
    }

    /// The nonces are known: what is left is to prove that both have derived the same.
    private mutating func prove(
        _ terms: PairingTerms,
        _ agreement: KeyAgreement,
        _ nonces: PairingNonces,
        into actions: inout [PairingAction]
    ) {
        let check = KeyCheck(terms, agreement, nonces, values)
        if terms.method == .numericComparison {
            actions.append(.ask(.compare(agreement.digits(nonces, role: terms.role))))
            state = .comparing(check, peerHasProven: false)
        } else {
            if terms.role == .central { actions.append(.send(.pairingDHKeyCheck(check.own))) }
            state = .awaitingCheck(check)
        }
    }
}

extension P256PublicKey {
    fileprivate var pdu: SMPPDU { .pairingPublicKey(PairingPublicKey(x: x, y: y)) }

    /// The commitment to a public key that travels on another way. Core 6.0, Vol 3, Part H, 2.3.5.6.4.
    fileprivate func outOfBandConfirm(_ random: Block128) -> Block128 {
        PairingFunctions.f4(u: x, v: x, x: random, z: 0)
    }
}
