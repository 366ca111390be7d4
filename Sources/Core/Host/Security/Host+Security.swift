internal import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// Orders about the security of links. `SecurityEvent` reports what becomes of them.
extension Host {
    /// How peers' requests to pair are answered, and how this host pairs where an order does not say otherwise.
    public var pairingSettings: PairingSettings {
        get { core.security.settings }
        set { change { core in core.set(newValue) } }
    }

    /// How the host pairs on one connection, if not as it usually does; nil goes back to that. A pairing under way is
    /// not changed any more.
    public func setPairingSettings(
        _ settings: PairingSettings?,
        on connection: ConnectionID
    ) throws(PairingOrderError) {
        try change { core throws(PairingOrderError) in try core.setPairingSettings(settings, on: connection) }
    }

    /// How well a link is secured at the moment; nil once the connection is gone.
    public func security(of connection: ConnectionID) -> LinkSecurity? { core.security(of: connection) }

    /// Whether the peer is bonded and has not shown a key of the bond on this connection: it may be any device with its
    /// address, and nothing that its server says is taken. Never with `HostConfiguration.encryptsBondedLinks` off.
    public func awaitsProof(on connection: ConnectionID) -> Bool { core.awaitsProof(on: connection) }

    /// The key by which a link is encrypted at the moment; nil if it is not.
    public func encryptionKey(of connection: ConnectionID) -> LongTermKey? { core.encryptionKey(of: connection) }

    /// As central, pairs with the peer, even if there is a bond: this order is the application's yes to replace it, by
    /// one that is at least as good. Ends with `paired`, or with `pairing(.failed)`. Core 6.0, Vol 3, Part H, 2.1.
    public func pair(
        _ connection: ConnectionID,
        settings: PairingSettings? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        try enter(at: now, into: &actions) { core, actions throws(PairingOrderError) in
            try core.pair(connection, settings: settings, at: now, into: &actions)
        }
    }

    /// Answers the question that was asked last on a connection.
    public func answer(
        _ answer: PairingAnswer,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        try enter(at: now, into: &actions) { core, actions throws(PairingOrderError) in
            try core.answer(answer, on: connection, at: now, into: &actions)
        }
    }

    /// Reports to the peer what the person has just done who types a passkey here. Core 6.0, Vol 3, Part H, 3.5.8.
    public func send(
        keypress: Keypress,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        try enter(at: now, into: &actions) { core, actions throws(PairingOrderError) in
            try core.send(keypress: keypress, on: connection, at: now, into: &actions)
        }
    }

    /// As peripheral, asks the central to encrypt the link with the key of the bond, or to pair. What the central makes
    /// of it is its own affair. Core 6.0, Vol 3, Part H, 2.4.6.
    public func requestSecurity(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(PairingOrderError) {
        try enter(at: now, into: &actions) { core, actions throws(PairingOrderError) in
            try core.requestSecurity(connection, at: now, into: &actions)
        }
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
        try enter(at: now, into: &actions) { core, actions throws(PairingOrderError) in
            try core.secure(connection, atLeast: level, at: now, into: &actions)
        }
    }

    /// What is to be carried to a peer on another way than the radio. Good for one pairing; what was made before is good
    /// no more. What has come from the peer goes into `PairingSettings.outOfBand`. Core 6.0, Vol 3, Part H, 2.3.5.6.4.
    public func makeOutOfBandData() -> OutOfBandData {
        change { core in core.makeOutOfBandData() }
    }

    /// Says whether the application trusts a client with what needs authorization. Core 6.0, Vol 3, Part C, 10.5.
    public func authorize(_ connection: ConnectionID, _ isAuthorized: Bool = true) {
        change { core in core.authorize(connection, isAuthorized) }
    }
}
