internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// Orders about the security of links. `SecurityEvent` reports what becomes of them.
extension HostCore {
    mutating func set(_ settings: PairingSettings) {
        security.settings = settings
        for slot in 0..<links.slotCount where isKnownOpen(slot) { updateSecurity(slot) }
    }

    mutating func setPairingSettings(
        _ settings: PairingSettings?,
        on connection: ConnectionID
    ) throws(PairingOrderError) {
        let slot = try securitySlot(of: connection)
        guard settings?.hasValidKeySizes ?? true else { throw .keySizesOutOfRange }
        links[slot].security.settings = settings
        updateSecurity(slot)
    }

    func security(of connection: ConnectionID) -> LinkSecurity? {
        guard let slot = links.slot(of: connection) else { return nil }
        return links[slot].security.level
    }

    func awaitsProof(on connection: ConnectionID) -> Bool {
        links.slot(of: connection).map { links[$0].security.awaitsProof } ?? false
    }

    func encryptionKey(of connection: ConnectionID) -> LongTermKey? {
        guard let slot = links.slot(of: connection) else { return nil }
        return links[slot].security.key
    }

    mutating func pair(
        _ connection: ConnectionID,
        settings: PairingSettings? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        let slot = try securitySlot(of: connection)
        guard links[slot].role == .central else { throw .wrongRole }
        guard canEncrypt(as: .central) else { throw .unsupported }
        guard links[slot].security.order == nil else { throw .encryptionUnderWay }
        var wanted = settings ?? usualSettings(slot)
        guard wanted.hasValidKeySizes else { throw .keySizesOutOfRange }
        if let strength = bond(of: slot)?.strength {
            guard wanted.canMatch(strength) else { throw .weakerThanBond }
            wanted = wanted.notWeaker(than: strength)
        }
        var steps = SecurityActions()
        let isInUse = links.isFixedPasskeyInUse
        try security.pair(&links[slot], wanted, isFixedPasskeyInUse: isInUse, at: now, into: &steps)
        links[slot].security.isAskedForSecurity = false
        carryOut(steps, slot, at: now, into: &actions)
    }

    mutating func answer(
        _ answer: PairingAnswer,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        let slot = try securitySlot(of: connection)
        var steps = SecurityActions()
        if answer == .refuse, links[slot].security.isAskedForSecurity, isPairingIdle(slot) {
            links[slot].security.isAskedForSecurity = false
            try security.refuseSecurity(links[slot], into: &steps)
        } else {
            try security.answer(answer, on: &links[slot], at: now, into: &steps)
        }
        carryOut(steps, slot, at: now, into: &actions)
    }

    mutating func send(
        keypress: Keypress,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        let slot = try securitySlot(of: connection)
        var steps = SecurityActions()
        try security.send(keypress, on: &links[slot], at: now, into: &steps)
        carryOut(steps, slot, at: now, into: &actions)
    }

    mutating func requestSecurity(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        let slot = try securitySlot(of: connection)
        guard links[slot].role == .peripheral else { throw .wrongRole }
        guard canEncrypt(as: .peripheral) else { throw .unsupported }
        var steps = SecurityActions()
        try security.requestSecurity(links[slot], into: &steps)
        carryOut(steps, slot, at: now, into: &actions)
    }

    @discardableResult
    mutating func secure(
        _ connection: ConnectionID,
        atLeast level: SecurityLevel,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) -> Bool {
        let slot = try securitySlot(of: connection)
        let current = links[slot].security.level
        if current.level >= level, !current.isWeakerThanBond { return true }
        let role = links[slot].role
        guard canEncrypt(as: role) else { throw .unsupported }
        guard links[slot].security.order == nil else { throw .encryptionUnderWay }
        let demanding = usualSettings(slot).demanding(level)
        guard role == .central else {
            links[slot].security.settings = demanding
            updateSecurity(slot)
            try requestSecurity(connection, at: now, into: &actions)
            return false
        }
        if let key = bond(of: slot)?.keyAsCentral, key.level >= level, key != links[slot].security.key {
            guard !links[slot].security.hasLostBond else { throw .bondLost }
            guard isPairingIdle(slot) else { throw .pairingUnderWay }
            encrypt(slot, with: key, for: .known)
        } else {
            try pair(connection, settings: demanding, at: now, into: &actions)
        }
        return false
    }

    mutating func makeOutOfBandData() -> OutOfBandData { security.makeOutOfBandData() }

    mutating func authorize(_ connection: ConnectionID, _ isAuthorized: Bool = true) {
        guard let slot = links.slot(of: connection) else { return }
        links[slot].security.level.isAuthorized = isAuthorized
    }

    // MARK: Steps

    /// How the host pairs on a connection where an order does not say otherwise.
    func usualSettings(_ slot: Int) -> PairingSettings {
        let own = links[slot].security.settings
        return own ?? security.settings
    }

    private func securitySlot(of connection: ConnectionID) throws(PairingOrderError) -> Int {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard let slot = links.slot(of: connection) else { throw .noConnection }
        return slot
    }

    /// Whether there is no pairing on a link.
    private func isPairingIdle(_ slot: Int) -> Bool { !links[slot].smp.isPairing }
}
