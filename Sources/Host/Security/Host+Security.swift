internal import BluetoothValues
public import VirtualTime

/// Orders about the security of links. What becomes of them is told by `SecurityEvent`.
extension Host {
    /// How peers' wishes to pair are answered, and how this host pairs where an order does not say otherwise.
    public var pairingSettings: PairingSettings {
        get { security.manager.settings }
        set {
            security.manager.settings = newValue
            for index in security.links.indices { updateSecurity(index) }
        }
    }

    /// How the host pairs on one connection, if not as it usually does; nil goes back to that. A pairing under way is
    /// not changed any more.
    public func setPairingSettings(
        _ settings: PairingSettings?,
        on connection: ConnectionID
    ) throws(PairingOrderError) {
        let index = try securityIndex(of: connection)
        security[index].settings = settings
        updateSecurity(index)
    }

    /// How well a link is secured at the moment; nil once the connection is gone.
    public func security(of connection: ConnectionID) -> LinkSecurity? {
        security.index(of: connection).map(linkSecurity)
    }

    /// The key by which a link is encrypted at the moment; nil if it is not.
    public func encryptionKey(of connection: ConnectionID) -> LongTermKey? { security.link(of: connection)?.key }

    /// As central, pairs with the peer, even if there is a bond: this order is the application's yes to replace it, by
    /// one that is at least as good. Ends with `paired`, or with `pairing(.failed)`. Core 6.0, Vol 3, Part H, 2.1.
    public func pair(
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

    /// Answers the question that was asked last on a connection.
    public func answer(
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

    /// Tells the peer what the person has just done who types a passkey here. Core 6.0, Vol 3, Part H, 3.5.8.
    public func send(
        keypress: Keypress,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        _ = try securityIndex(of: connection)
        try security.manager.send(keypress, on: connection, at: now, into: &securityActions)
        finishOrder(at: now, into: &actions)
    }

    /// As peripheral, asks the central to encrypt the link with the key of the bond, or to pair. What the central makes
    /// of it is its own affair. Core 6.0, Vol 3, Part H, 2.4.6.
    public func requestSecurity(
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

    /// Secures a link at least so well. As central: with the key of the bond if that is good enough, else by pairing;
    /// as peripheral by asking the central. Ends with `encryptionChanged` or `encryptionFailed`, or as a pairing does.
    ///
    /// A peer that has lost the bond is not paired with anew by this order, but by `pair`.
    ///
    /// - Returns: true if the link is that secure already, and nothing follows.
    @discardableResult
    public func secure(
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

    /// What is to be carried to a peer on another way than the radio. Good for one pairing; what was made before is good
    /// no more. What has come from the peer goes into `PairingSettings.outOfBand`. Core 6.0, Vol 3, Part H, 2.3.5.6.4.
    public func makeOutOfBandData() -> OutOfBandData { security.manager.makeOutOfBandData() }

    /// Says whether the application trusts a client with what needs authorization. Core 6.0, Vol 3, Part C, 10.5.
    public func authorize(_ connection: ConnectionID, _ isAuthorized: Bool = true) {
        guard let index = att.index(of: connection) else { return }
        att.bearers[index].security.isAuthorized = isAuthorized
    }

    // MARK: Steps

    /// How the host pairs on a connection where an order does not say otherwise.
    func usualSettings(_ index: Int) -> PairingSettings {
        let own = security[index].settings
        return own ?? pairingSettings
    }

    private func securityIndex(of connection: ConnectionID) throws(PairingOrderError) -> Int {
        guard phase == .up else { throw .notPoweredOn }
        guard let index = security.index(of: connection) else { throw .noConnection }
        return index
    }

    private func requireIdle(_ connection: ConnectionID) throws(PairingOrderError) {
        guard security.manager.isIdle(connection) else { throw .pairingUnderWay }
    }

    private func finishOrder(at now: Instant, into actions: inout HostActions) {
        carryOutSecurity(at: now, into: &actions)
        pipeline.flush(at: now, into: &actions.packets)
    }
}
