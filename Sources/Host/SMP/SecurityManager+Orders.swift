internal import BluetoothValues
internal import VirtualTime

extension SecurityManager {
    /// Whether there is no pairing on an open connection.
    func isIdle(_ connection: ConnectionID) -> Bool {
        guard let index = index(of: connection) else { return false }
        return !isPairing(index)
    }

    /// As central, begins to pair; with other settings than the host's if wanted.
    mutating func pair(
        _ connection: ConnectionID,
        _ settings: PairingSettings? = nil,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let index = try idleIndex(of: connection)
        let link = links[index]
        guard link.role == .central else { throw .wrongRole }
        let settings = settings ?? link.settings
        guard !attempts.isWaiting(link.peer, at: now) else { throw .repeatedAttempts }
        // Who the peer is, and by which method it pairs, is not known yet.
        if case .fixed = settings.passkey, settings.inputOutput.canShow, mustWaitForFixedPasskey(index, at: now) {
            throw .repeatedAttempts
        }
        var steps: [PairingAction] = []
        let pairing = Pairing(
            initiating: settings,
            addresses: link.addresses,
            resources,
            into: &steps
        )
        begin(pairing, at: index, now)
        carryOut(steps, index, at: now, into: &actions)
    }

    /// As peripheral, asks the central to encrypt the link or to pair. Core 6.0, Vol 3, Part H, 2.4.6.
    mutating func requestSecurity(
        _ connection: ConnectionID,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let index = try idleIndex(of: connection)
        guard links[index].role == .peripheral else { throw .wrongRole }
        actions.send(.securityRequest(links[index].settings.requirements), on: connection)
    }

    /// As central, says no to a peripheral that has asked for security.
    mutating func refuseSecurity(
        _ connection: ConnectionID,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let index = try idleIndex(of: connection)
        guard links[index].role == .central else { throw .wrongRole }
        actions.send(.pairingFailed(.pairingNotSupported), on: connection)
    }

    /// What a person says to the question that was asked last.
    mutating func answer(
        _ answer: PairingAnswer,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let index = try checkedIndex(of: connection)
        guard isPairing(index) else { throw .notAsked }
        var wasAsked = true
        switch answer {
        case .refuse:
            guard case .pairing(let pairing) = links[index].state else { throw .notAsked }
            end(pairing, at: index, with: .refused(pairing.refusal), now, into: &actions)
        case .agree:
            advance(index, at: now, into: &actions) { (pairing, resources, steps) throws(PairingFailureReason) in
                wasAsked = try pairing.agree(&resources, into: &steps)
            }
        case .passkey(let passkey):
            advance(index, at: now, into: &actions) { (pairing, resources, steps) throws(PairingFailureReason) in
                wasAsked = try pairing.enter(passkey, &resources, into: &steps)
            }
        }
        guard wasAsked else { throw .notAsked }
    }

    /// Tells the peer, if it wants to know, what the person has just done who types the passkey here.
    mutating func send(
        _ keypress: Keypress,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let index = try checkedIndex(of: connection)
        guard case .pairing(let pairing) = links[index].state else { throw .notAsked }
        var steps: [PairingAction] = []
        guard pairing.sendKeypress(keypress, into: &steps) else { throw .notAsked }
        carryOut(steps, index, at: now, into: &actions)
    }
}
