internal import BluetoothValues
internal import VirtualTime

/// Orders about the security of links. What becomes of them is told by `SecurityEvent`.
extension HostCore {
    mutating func set(_ settings: PairingSettings) {
        security.manager.settings = settings
        for index in security.links.indices { updateSecurity(index) }
    }

    mutating func setPairingSettings(
        _ settings: PairingSettings?,
        on connection: ConnectionID
    ) throws(PairingOrderError) {
        let index = try securityIndex(of: connection)
        security[index].settings = settings
        updateSecurity(index)
    }

    func security(of connection: ConnectionID) -> LinkSecurity? {
        guard let index = security.index(of: connection) else { return nil }
        return linkSecurity(index)
    }

    func encryptionKey(of connection: ConnectionID) -> LongTermKey? { security.link(of: connection)?.key }

    mutating func pair(
        _ connection: ConnectionID,
        settings: PairingSettings? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        let index = try securityIndex(of: connection)
        guard security[index].role == .central else { throw .wrongRole }
        guard canEncrypt(as: .central) else { throw .unsupported }
        guard security[index].order == nil else { throw .encryptionUnderWay }
        var wanted = settings ?? usualSettings(index)
        if let strength = bond(of: security[index])?.strength {
            guard wanted.canMatch(strength) else { throw .weakerThanBond }
            wanted = wanted.notWeaker(than: strength)
        }
        try security.manager.pair(connection, wanted, at: now, into: &securityActions)
        security[index].isAskedForSecurity = false
        finishOrder(at: now, into: &actions)
    }

    mutating func answer(
        _ answer: PairingAnswer,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        let index = try securityIndex(of: connection)
        if answer == .refuse, security[index].isAskedForSecurity, security.manager.isIdle(connection) {
            security[index].isAskedForSecurity = false
            try security.manager.refuseSecurity(connection, into: &securityActions)
        } else {
            try security.manager.answer(answer, on: connection, at: now, into: &securityActions)
        }
        finishOrder(at: now, into: &actions)
    }

    mutating func send(
        keypress: Keypress,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        _ = try securityIndex(of: connection)
        try security.manager.send(keypress, on: connection, at: now, into: &securityActions)
        finishOrder(at: now, into: &actions)
    }

    mutating func requestSecurity(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        let index = try securityIndex(of: connection)
        guard security[index].role == .peripheral else { throw .wrongRole }
        guard canEncrypt(as: .peripheral) else { throw .unsupported }
        try security.manager.requestSecurity(connection, into: &securityActions)
        finishOrder(at: now, into: &actions)
    }

    @discardableResult
    mutating func secure(
        _ connection: ConnectionID,
        atLeast level: SecurityLevel,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) -> Bool {
        let index = try securityIndex(of: connection)
        let current = linkSecurity(index)
        if current.level >= level, !current.isWeakerThanBond { return true }
        let role = security[index].role
        guard canEncrypt(as: role) else { throw .unsupported }
        guard security[index].order == nil else { throw .encryptionUnderWay }
        let demanding = usualSettings(index).demanding(level)
        guard role == .central else {
            security[index].settings = demanding
            updateSecurity(index)
            try requestSecurity(connection, at: now, into: &actions)
            return false
        }
        if let key = bond(of: security[index])?.keyAsCentral, key.level >= level, key != security[index].key {
            guard !security[index].hasLostBond else { throw .bondLost }
            try requireIdle(connection)
            encrypt(index, with: key, for: .known)
            finishOrder(at: now, into: &actions)
        } else {
            try pair(connection, settings: demanding, at: now, into: &actions)
        }
        return false
    }

    mutating func makeOutOfBandData() -> OutOfBandData { security.manager.makeOutOfBandData() }

    mutating func authorize(_ connection: ConnectionID, _ isAuthorized: Bool = true) {
        guard let index = att.index(of: connection) else { return }
        att.bearers[index].security.isAuthorized = isAuthorized
    }

    // MARK: Steps

    /// How the host pairs on a connection where an order does not say otherwise.
    func usualSettings(_ index: Int) -> PairingSettings {
        let own = security[index].settings
        return own ?? security.manager.settings
    }

    private func securityIndex(of connection: ConnectionID) throws(PairingOrderError) -> Int {
        guard phase == .up else { throw .notPoweredOn }
        guard let index = security.index(of: connection) else { throw .noConnection }
        return index
    }

    private func requireIdle(_ connection: ConnectionID) throws(PairingOrderError) {
        guard security.manager.isIdle(connection) else { throw .pairingUnderWay }
    }

    private mutating func finishOrder(at now: Instant, into actions: inout HostActions) {
        carryOutSecurity(at: now, into: &actions)
    }
}
