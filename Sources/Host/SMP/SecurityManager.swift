internal import BluetoothCrypto
internal import BluetoothValues
internal import ByteCoding
internal import VirtualTime

/// The Security Manager of one host, without HCI: a pairing for each connection that has one. Core 6.0, Vol 3, Part H.
///
/// A host drives it so:
///
/// - `open(_:)` when a connection has come, `close(_:at:into:)` when it has gone.
/// - `receive(_:on:at:into:)` with each whole PDU that L2CAP channel 0x0006 has received, and
///   `receiveTooLong(_:on:at:into:)` with the beginning of one that was longer than `SMPPDU.maximumLength`.
/// - `longTermKey(for:on:)` when the controller of a peripheral asks for a key: nil means that the pairing has nothing
///   to do with it, and that a bond may have one.
/// - `encryptionChanged(to:on:at:into:)` when the controller says that the link is encrypted, is encrypted with a new
///   key, or is not.
/// - `nextDeadline` and `expire(at:into:)` as with every machine.
/// - After each call, carry out the `SecurityActions` in their order.
struct SecurityManager {
    /// SM Timer: how long a pairing may rest. Core 6.0, Vol 3, Part H, 3.4.
    static let timeout = TimeSpan.seconds(30)

    /// A connection, as the Security Manager sees it.
    struct Link {
        let id: ConnectionID
        /// This host's role.
        let role: ConnectionRole
        let addresses: PairingAddresses
        /// By what the peer's failures are remembered.
        let peer: DeviceAddress
        /// How this host answers the peer's wish to pair.
        var settings: PairingSettings
        /// Whether the link is encrypted with the key of the bond: the peer is the one that it calls itself.
        var isProven = false
        var state = State.idle
        /// When the pairing is given up if it rests; of no meaning without one.
        var deadline = Instant.distantFuture
    }

    enum State {
        case idle
        case pairing(Pairing)
        /// A pairing has timed out: nothing is sent, and nothing listened to. Core 6.0, Vol 3, Part H, 3.4.
        case dead
    }

    /// How this host answers peers on connections that are opened from now on.
    var settings: PairingSettings
    var resources: PairingResources
    var links: [Link] = []
    var attempts = RepeatedAttempts()
    var fixedPasskeyAttempts = FixedPasskeyAttempts()

    init(settings: PairingSettings = PairingSettings(), identity: LocalIdentity?, random: CipherRandom) {
        self.settings = settings
        resources = PairingResources(random: random, identity: identity)
    }

    /// A connection has come. The addresses are those used on the air; a peer whose private address was resolved is
    /// remembered by its identity.
    mutating func open(
        _ connection: ConnectionID,
        role: ConnectionRole,
        own: DeviceAddress,
        peer: DeviceAddress,
        peerIdentity: DeviceAddress? = nil
    ) {
        let addresses =
            role == .central
            ? PairingAddresses(initiator: own, responder: peer) : PairingAddresses(initiator: peer, responder: own)
        let remembered = peerIdentity ?? peer
        links.append(Link(id: connection, role: role, addresses: addresses, peer: remembered, settings: settings))
    }

    /// A connection has gone.
    mutating func close(_ connection: ConnectionID, at now: Instant, into actions: inout SecurityActions) {
        guard let index = index(of: connection) else { return }
        if case .pairing(let pairing) = links[index].state {
            end(pairing, at: index, with: .disconnected, now, into: &actions)
        }
        links.remove(at: index)
    }

    /// How the peer's wish to pair is answered on one connection, and whether the peer has shown the key of its bond.
    /// One that has does not wait for what others have done under its address.
    mutating func set(
        _ settings: PairingSettings,
        isProven: Bool = false,
        on connection: ConnectionID
    ) throws(PairingOrderError) {
        let index = try checkedIndex(of: connection)
        links[index].settings = settings
        if isProven, !links[index].isProven { attempts.recordSuccess(of: links[index].peer) }
        links[index].isProven = isProven
    }

    /// What is to be carried to a peer on another way. Good for one pairing; what was made before is good no more.
    mutating func makeOutOfBandData() -> OutOfBandData {
        let local = LocalOutOfBand(random: &resources.random)
        resources.localOutOfBand = local
        return local.data
    }

    /// Changes who this host is.
    mutating func set(_ identity: LocalIdentity?) { resources.identity = identity }

    // MARK: The link

    /// The key for the controller of a peripheral that was asked for one; nil if no pairing has it.
    mutating func longTermKey(for identification: CentralIdentification, on connection: ConnectionID) -> LongTermKey? {
        guard identification == .none, let index = index(of: connection),
            case .pairing(var pairing) = links[index].state, let key = pairing.longTermKey()
        else { return nil }
        links[index].state = .pairing(pairing)
        return key
    }

    /// The controller has answered an order to encrypt, or says that the link is encrypted anew; success, or why not.
    mutating func encryptionChanged(
        to result: ControllerError,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard let index = index(of: connection) else { return }
        guard result == .success else {
            guard case .pairing(let pairing) = links[index].state, pairing.needsEncryption else { return }
            actions.send(.pairingFailed(.unspecified), on: connection)
            return end(pairing, at: index, with: .encryptionFailed(result), now, into: &actions)
        }
        advance(index, at: now, into: &actions) { pairing, resources, steps in
            pairing.encryptionStarted(&resources, into: &steps)
        }
    }

    // MARK: Time

    /// When `expire` wants to be called next.
    var nextDeadline: Instant? {
        var earliest: Instant?
        // By index: a link with its pairing is much to copy.
        for index in links.indices where isPairing(index) {
            let deadline = links[index].deadline
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    /// Gives up pairings that have rested for too long.
    mutating func expire(at now: Instant, into actions: inout SecurityActions) {
        for index in links.indices {
            guard links[index].deadline <= now, case .pairing(let pairing) = links[index].state else { continue }
            end(pairing, at: index, with: .timedOut, now, into: &actions)
            links[index].state = .dead
        }
    }
}

// MARK: Steps

extension SecurityManager {
    func index(of connection: ConnectionID) -> Int? {
        for index in links.indices where links[index].id == connection { return index }
        return nil
    }

    /// Whether a pairing is under way.
    func isPairing(_ index: Int) -> Bool { if case .pairing = links[index].state { true } else { false } }

    /// Whether a pairing has to wait that is about a passkey which is always the same: others have failed at it a short
    /// time ago, or are at it now.
    func mustWaitForFixedPasskey(_ index: Int, at now: Instant) -> Bool {
        guard !links[index].isProven else { return false }
        return fixedPasskeyAttempts.isWaiting(at: now)
            || links.contains { if case .pairing(let pairing) = $0.state { pairing.usesFixedPasskey } else { false } }
    }

    /// A pairing has begun.
    mutating func begin(_ pairing: Pairing, at index: Int, _ now: Instant) {
        links[index].state = .pairing(pairing)
        links[index].deadline = now + Self.timeout
    }

    func checkedIndex(of connection: ConnectionID) throws(PairingOrderError) -> Int {
        guard let index = index(of: connection) else { throw .noConnection }
        return index
    }

    /// Where a connection stands on which a pairing may begin.
    func idleIndex(of connection: ConnectionID) throws(PairingOrderError) -> Int {
        let index = try checkedIndex(of: connection)
        switch links[index].state {
        case .idle: return index
        case .pairing: throw .pairingUnderWay
        case .dead: throw .timedOutBefore
        }
    }

    /// Lets a pairing take a step, and carries out what it wants, or drops it if it failed.
    mutating func advance(
        _ index: Int,
        at now: Instant,
        into actions: inout SecurityActions,
        _ step: (inout Pairing, inout PairingResources, inout [PairingAction]) throws(PairingFailureReason) -> Void
    ) {
        guard case .pairing(var pairing) = takeState(of: index) else { return }
        var steps: [PairingAction] = []
        resources.partner = links[index].peer
        do {
            try step(&pairing, &resources, &steps)
        } catch {
            return end(pairing, at: index, with: .refused(error), now, into: &actions)
        }
        links[index].state = .pairing(pairing)
        carryOut(steps, index, at: now, into: &actions)
    }

    /// The state of a link on which a pairing is under way, taken out to take a step: there is no second copy of it
    /// meanwhile. Another state stays.
    private mutating func takeState(of index: Int) -> State {
        guard isPairing(index) else { return .idle }
        var state = State.idle
        swap(&state, &links[index].state)
        return state
    }

    mutating func carryOut(
        _ steps: [PairingAction],
        _ index: Int,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        let id = links[index].id
        for step in steps {
            switch step {
            case .send(let pdu):
                actions.send(pdu, on: id)
                // Every PDU that is sent starts the timer again. Core 6.0, Vol 3, Part H, 3.4.
                links[index].deadline = now + Self.timeout
            case .ask(.consent(let features)): actions.tell(.consentRequested(id, features))
            case .ask(.compare(let digits)): actions.tell(.comparisonRequested(id, digits: digits))
            case .ask(.display(let passkey)): actions.tell(.passkeyShown(id, passkey))
            case .ask(.enter): actions.tell(.passkeyRequested(id))
            case .ask(.keypress(let keypress)): actions.tell(.keypress(id, keypress))
            case .encrypt(let key): actions.list.append(.startEncryption(id, key))
            case .finish(let result):
                if case .pairing(let pairing) = links[index].state, pairing.usesFixedPasskey {
                    fixedPasskeyAttempts.recordSuccess()
                }
                links[index].state = .idle
                attempts.recordSuccess(of: links[index].peer)
                actions.tell(.finished(id, result))
            }
        }
    }

    /// Drops a pairing that has failed, with all it knew.
    mutating func end(
        _ pairing: Pairing,
        at index: Int,
        with failure: PairingFailure,
        _ now: Instant,
        into actions: inout SecurityActions
    ) {
        links[index].state = .idle
        if pairing.isAttempt {
            attempts.recordFailure(of: links[index].peer, at: now)
            if pairing.usesFixedPasskey { fixedPasskeyAttempts.recordFailure(at: now) }
        }
        if case .refused(let reason) = failure { actions.send(.pairingFailed(reason), on: links[index].id) }
        actions.tell(.failed(links[index].id, failure))
    }
}
