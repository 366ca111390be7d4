internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatVirtualTime

/// The Security Manager of one host, without HCI. Core 6.0, Vol 3, Part H.
///
/// What belongs to one link stands in its `HostLink.smp`, and a method is given the link that it is about:
///
/// - `close(_:at:into:)` when the connection has gone.
/// - `handlePDU(_:on:…)` with each whole PDU that L2CAP channel 0x0006 has received, and
///   `handleTooLongPDU(_:on:at:into:)` with the beginning of one that was longer than `SMPPDU.maximumLength`.
/// - `longTermKey(for:on:)` when the controller of a peripheral asks for a key: nil means that the pairing has nothing
///   to do with it, and that a bond may have one.
/// - `encryptionChanged(to:on:at:into:)` when the controller says that the link is encrypted, is encrypted with a new
///   key, or is not.
/// - `timeOut(_:at:into:)` when the link's `pairing` timer runs out.
/// - After each call, carry out the `SecurityActions` on that link, in their order.
struct SecurityManager {
    /// SM Timer: how long a pairing may rest. Core 6.0, Vol 3, Part H, 3.4.
    static let timeout = TimeSpan.seconds(30)

    /// How this host answers peers on connections that are opened from now on.
    @Boxed var settings: PairingSettings
    var resources: PairingResources
    var attempts = RepeatedAttempts()
    var fixedPasskeyAttempts = FixedPasskeyAttempts()

    init(settings: Boxed<PairingSettings>, identity: LocalIdentity?, random: CipherRandom) {
        _settings = settings
        resources = PairingResources(random: random, identity: identity)
    }

    /// The SMP part of a new link, on which this host pairs as it usually does.
    func newLink() -> PairingLink { PairingLink(settings: _settings) }

    /// A connection has gone.
    mutating func close(_ link: inout HostLink, at now: Instant, into actions: inout SecurityActions) {
        if case .pairing(let pairing) = link.smp.state {
            end(pairing, on: &link, with: .disconnected, now, into: &actions)
        }
    }

    /// Notes whether the peer has shown the key of its bond. One that has does not wait for what others have done under
    /// its address.
    mutating func note(isProven: Bool, on link: inout HostLink) {
        if isProven, !link.security.isProven { attempts.recordSuccess(of: link.knownPeer) }
        link.security.isProven = isProven
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
    func longTermKey(for identification: CentralIdentification, on link: inout HostLink) -> LongTermKey? {
        guard identification == .none, case .pairing(var pairing) = link.smp.state, let key = pairing.longTermKey()
        else { return nil }
        link.smp.state = .pairing(pairing)
        return key
    }

    /// The controller has answered an order to encrypt, or says that the link is encrypted anew; success, or why not.
    mutating func encryptionChanged(
        to result: ControllerError,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard result == .success else {
            guard case .pairing(let pairing) = link.smp.state, pairing.needsEncryption else { return }
            actions.send(.pairingFailed(.unspecified))
            return end(pairing, on: &link, with: .encryptionFailed(result), now, into: &actions)
        }
        advance(&link, at: now, into: &actions) { (pairing, resources, steps) throws(PairingFailureReason) in
            try pairing.encryptionStarted(&resources, into: &steps)
        }
    }

    // MARK: Time

    /// Gives up a pairing that has rested for too long.
    mutating func timeOut(_ link: inout HostLink, at now: Instant, into actions: inout SecurityActions) {
        guard case .pairing(let pairing) = link.smp.state else { return }
        end(pairing, on: &link, with: .timedOut, now, into: &actions)
        link.smp.state = .dead
    }
}

// MARK: Steps

extension SecurityManager {
    /// Whether a pairing has to wait that is about a passkey which is always the same: others have failed at it a short
    /// time ago, or are at it now.
    func mustWaitForFixedPasskey(
        _ link: borrowing HostLink,
        isFixedPasskeyInUse: Bool,
        at now: Instant
    ) -> Bool {
        guard !link.security.isProvenWithAuthentication else { return false }
        return fixedPasskeyAttempts.isWaiting(at: now) || isFixedPasskeyInUse
    }

    /// A pairing has begun.
    func begin(_ pairing: Pairing, on link: inout HostLink, _ now: Instant) {
        link.smp.state = .pairing(pairing)
        link.deadlines.arm(.pairing, at: now + Self.timeout)
    }

    /// Throws unless a pairing may begin on a link.
    func requireIdle(_ link: borrowing HostLink) throws(PairingOrderError) {
        switch link.smp.state {
        case .idle: return
        case .pairing: throw .pairingUnderWay
        case .dead: throw .timedOutBefore
        }
    }

    /// Lets a pairing take a step, and carries out what it asks for, or drops it if it failed.
    mutating func advance(
        _ link: inout HostLink,
        at now: Instant,
        into actions: inout SecurityActions,
        _ step: (inout Pairing, inout PairingResources, inout [PairingAction]) throws(PairingFailureReason) -> Void
    ) {
        guard case .pairing(var pairing) = link.smp.takePairing() else { return }
        var steps: [PairingAction] = []
        resources.partner = link.knownPeer
        do {
            try step(&pairing, &resources, &steps)
        } catch {
            return end(pairing, on: &link, with: .refused(error), now, into: &actions)
        }
        link.smp.state = .pairing(pairing)
        carryOut(steps, on: &link, at: now, into: &actions)
    }

    mutating func carryOut(
        _ steps: [PairingAction],
        on link: inout HostLink,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        let id = link.id
        for step in steps {
            switch step {
            case .send(let pdu):
                actions.send(pdu)
                // Every PDU that is sent starts the timer again. Core 6.0, Vol 3, Part H, 3.4.
                link.deadlines.arm(.pairing, at: now + Self.timeout)
            case .ask(.consent(let features)): actions.emit(.consentRequested(id, features))
            case .ask(.compare(let digits)): actions.emit(.comparisonRequested(id, digits: digits))
            case .ask(.display(let passkey)): actions.emit(.passkeyShown(id, passkey))
            case .ask(.enter): actions.emit(.passkeyRequested(id))
            case .ask(.keypress(let keypress)): actions.emit(.keypress(id, keypress))
            case .encrypt(let key): actions.list.append(.startEncryption(key))
            case .finish(let result):
                if link.smp.usesFixedPasskey {
                    fixedPasskeyAttempts.recordSuccess()
                }
                link.smp.state = .idle
                link.deadlines.disarm(.pairing)
                attempts.recordSuccess(of: link.knownPeer)
                actions.emit(.finished(id, result))
            }
        }
    }

    /// Drops a pairing that has failed, with all it knew.
    mutating func end(
        _ pairing: Pairing,
        on link: inout HostLink,
        with failure: PairingFailure,
        _ now: Instant,
        into actions: inout SecurityActions
    ) {
        link.smp.state = .idle
        link.deadlines.disarm(.pairing)
        if pairing.isAttempt {
            attempts.recordFailure(of: link.knownPeer, at: now)
            if pairing.usesFixedPasskey { fixedPasskeyAttempts.recordFailure(at: now) }
        }
        if case .refused(let reason) = failure { actions.send(.pairingFailed(reason)) }
        actions.emit(.failed(link.id, failure))
    }
}
