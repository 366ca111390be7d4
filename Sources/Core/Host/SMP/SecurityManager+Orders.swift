internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

extension SecurityManager {
    /// As central, begins to pair; with other settings than the host's if requested.
    mutating func pair(
        _ link: inout HostLink,
        _ settings: PairingSettings? = nil,
        isFixedPasskeyInUse: Bool,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        try requireIdle(link)
        guard link.role == .central else { throw .wrongRole }
        let settings = settings ?? link.smp.settings
        guard !attempts.isWaiting(link.knownPeer, at: now) else { throw .repeatedAttempts }
        // The peer's identity and the pairing method are not known yet.
        if case .fixed = settings.passkey, settings.inputOutput.canShow,
            mustWaitForFixedPasskey(link, isFixedPasskeyInUse: isFixedPasskeyInUse, at: now)
        {
            throw .repeatedAttempts
        }
        var steps: [PairingAction] = []
        resources.partner = link.knownPeer
        let pairing = Pairing(
            initiating: settings,
            addresses: link.pairingAddresses,
            resources,
            into: &steps
        )
        begin(pairing, on: &link, now)
        carryOut(steps, on: &link, at: now, into: &actions)
    }

    /// As peripheral, asks the central to encrypt the link or to pair. Core 6.0, Vol 3, Part H, 2.4.6.
    func requestSecurity(
        _ link: borrowing HostLink,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        try requireIdle(link)
        guard link.role == .peripheral else { throw .wrongRole }
        actions.send(.securityRequest(link.smp.settings.requirements))
    }

    /// As central, says no to a peripheral that has asked for security.
    func refuseSecurity(
        _ link: borrowing HostLink,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        try requireIdle(link)
        guard link.role == .central else { throw .wrongRole }
        actions.send(.pairingFailed(.pairingNotSupported))
    }

    /// What a person says to the question that was asked last.
    mutating func answer(
        _ answer: PairingAnswer,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        guard link.smp.isPairing else { throw .notAsked }
        var wasAsked = true
        switch answer {
        case .refuse:
            guard case .pairing(let pairing) = link.smp.state else { throw .notAsked }
            end(pairing, on: &link, with: .refused(pairing.refusal), now, into: &actions)
        case .agree:
            advance(&link, at: now, into: &actions) { (pairing, resources, steps) throws(PairingFailureReason) in
                wasAsked = try pairing.agree(&resources, into: &steps)
            }
        case .passkey(let passkey):
            advance(&link, at: now, into: &actions) { (pairing, resources, steps) throws(PairingFailureReason) in
                wasAsked = try pairing.enter(passkey, &resources, into: &steps)
            }
        }
        guard wasAsked else { throw .notAsked }
    }

    /// Reports to the peer, if it requests that, what the person has just done who types the passkey here.
    mutating func send(
        _ keypress: Keypress,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        guard case .pairing(let pairing) = link.smp.state else { throw .notAsked }
        var steps: [PairingAction] = []
        guard pairing.sendKeypress(keypress, into: &steps) else { throw .notAsked }
        carryOut(steps, on: &link, at: now, into: &actions)
    }
}
