import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

@testable import BluethroatHost

/// A Security Manager and links for it, as a host has them.
struct SecurityEnd {
    /// One link.
    final class Link {
        var link: HostLink

        init(_ link: consuming HostLink) { self.link = link }

        var settings: PairingSettings { link.smp.settings }
        var state: PairingLink.State { link.smp.state }
    }

    private var manager: SecurityManager
    private(set) var links: [Link] = []

    init(settings: PairingSettings, identity: LocalIdentity?, random: CipherRandom) {
        manager = SecurityManager(settings: Boxed(wrappedValue: settings), identity: identity, random: random)
    }

    var settings: PairingSettings {
        get { manager.settings }
        set { manager.settings = newValue }
    }
    var attempts: RepeatedAttempts {
        get { manager.attempts }
        set { manager.attempts = newValue }
    }
    var fixedPasskeyAttempts: FixedPasskeyAttempts {
        get { manager.fixedPasskeyAttempts }
        set { manager.fixedPasskeyAttempts = newValue }
    }

    var bonds: [PairingResources.BondStrength] {
        get { manager.resources.bonds }
        set { manager.resources.bonds = newValue }
    }

    mutating func open(
        _ connection: ConnectionID,
        role: ConnectionRole,
        own: DeviceAddress,
        peer: DeviceAddress,
        peerIdentity: DeviceAddress? = nil
    ) {
        var link = HostLink.sample(connection, role: role, own: own, peer: peer, pairing: manager.settings)
        link.peerIdentity = peerIdentity
        links.append(Link(link))
    }

    mutating func close(_ connection: ConnectionID, at now: Instant, into actions: inout SecurityActions) {
        guard let place = try? place(of: connection) else { return }
        manager.close(&place.link, at: now, into: &actions)
        links.removeAll { $0 === place }
    }

    mutating func set(_ identity: LocalIdentity?) { manager.set(identity) }

    mutating func set(_ settings: PairingSettings, on connection: ConnectionID) throws(PairingOrderError) {
        try place(of: connection).link.smp.settings = settings
    }

    /// The peer has encrypted the link with the key of its bond.
    mutating func prove(_ key: LongTermKey, on connection: ConnectionID) throws(PairingOrderError) {
        let place = try place(of: connection)
        place.link.security.expect(key, for: .known)
        place.link.security.accepted()
        _ = place.link.security.encrypted()
        manager.note(isProven: true, on: &place.link)
    }

    mutating func makeOutOfBandData() -> OutOfBandData { manager.makeOutOfBandData() }

    mutating func handlePDU(
        _ bytes: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard let place = try? place(of: connection) else { return }
        manager.handlePDU(
            bytes,
            on: &place.link,
            isFixedPasskeyInUse: isFixedPasskeyInUse,
            at: now,
            into: &actions
        )
    }

    mutating func handleTooLongPDU(
        _ beginning: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard let place = try? place(of: connection) else { return }
        manager.handleTooLongPDU(beginning, on: &place.link, at: now, into: &actions)
    }

    mutating func longTermKey(for identification: CentralIdentification, on connection: ConnectionID) -> LongTermKey? {
        guard let place = try? place(of: connection) else { return nil }
        return manager.longTermKey(for: identification, on: &place.link)
    }

    mutating func encryptionChanged(
        to result: ControllerError,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) {
        guard let place = try? place(of: connection) else { return }
        manager.encryptionChanged(to: result, on: &place.link, at: now, into: &actions)
    }

    var nextDeadline: Instant? { links.compactMap { $0.link.deadlines.next }.min() }

    mutating func expire(at now: Instant, into actions: inout SecurityActions) {
        for place in links where place.link.deadlines.popExpired(at: now) != nil {
            manager.timeOut(&place.link, at: now, into: &actions)
        }
    }

    func isIdle(_ connection: ConnectionID) -> Bool {
        guard let place = try? place(of: connection) else { return false }
        return !place.link.smp.isPairing
    }

    mutating func pair(
        _ connection: ConnectionID,
        _ settings: PairingSettings? = nil,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let place = try place(of: connection)
        try manager.pair(
            &place.link,
            settings,
            isFixedPasskeyInUse: isFixedPasskeyInUse,
            at: now,
            into: &actions
        )
    }

    func requestSecurity(
        _ connection: ConnectionID,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        try manager.requestSecurity(try place(of: connection).link, into: &actions)
    }

    func refuseSecurity(_ connection: ConnectionID, into actions: inout SecurityActions) throws(PairingOrderError) {
        try manager.refuseSecurity(try place(of: connection).link, into: &actions)
    }

    mutating func answer(
        _ answer: PairingAnswer,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let place = try place(of: connection)
        try manager.answer(answer, on: &place.link, at: now, into: &actions)
    }

    mutating func send(
        _ keypress: Keypress,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout SecurityActions
    ) throws(PairingOrderError) {
        let place = try place(of: connection)
        try manager.send(keypress, on: &place.link, at: now, into: &actions)
    }

    private var isFixedPasskeyInUse: Bool { links.contains { $0.link.smp.usesFixedPasskey } }

    private func place(of connection: ConnectionID) throws(PairingOrderError) -> Link {
        guard let place = links.first(where: { $0.link.id == connection }) else { throw .noConnection }
        return place
    }
}
