import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// What a phone does for the central managers of its apps: scans, connections, and what connected peers are asked. This
/// is the way in; what it knows is `CentralCore`'s.
struct CentralRole {
    private var core: CentralCore

    init(_ shared: SharedPhoneSettings) { core = CentralCore(shared) }

    // MARK: Sessions

    mutating func open(_ session: SessionID, of app: AppID, _ turn: inout ServiceTurn) {
        core.open(session, of: app, &turn)
    }

    /// A manager is gone, and everything it had asked for.
    mutating func close(_ session: SessionID, _ turn: inout ServiceTurn) { core.close(session, &turn) }

    /// An app may use Bluetooth no longer; its manager stays.
    mutating func drop(_ session: SessionID, _ turn: inout ServiceTurn) { core.drop(session, &turn) }

    mutating func perform(_ command: CentralCommand, from session: SessionID, _ turn: inout ServiceTurn) {
        core.perform(command, from: session, &turn)
    }

    /// The connection that a session leaves with this command.
    func connection(
        leftBy command: CentralCommand,
        from session: SessionID,
        _ turn: borrowing ServiceTurn
    ) -> ConnectionID? { core.connection(leftBy: command, from: session, turn) }

    /// A manager's app was ended, and what the manager had goes on.
    mutating func keep(_ session: SessionID, _ turn: inout ServiceTurn) -> CentralRestoration {
        core.keep(session, &turn)
    }

    /// A manager is there again for which something was kept.
    mutating func restore(_ kept: CentralRestoration, to session: SessionID, _ turn: inout ServiceTurn) {
        core.restore(kept, to: session, &turn)
    }

    mutating func enterBackground(_ session: SessionID, _ turn: inout ServiceTurn) {
        if let client = core.client(session) { core.noteScan(of: client, &turn) }
    }

    /// The system ends the connections of an app, and those that it waits for.
    mutating func endConnections(of session: SessionID, _ turn: inout ServiceTurn) {
        core.endConnections(of: session, &turn)
    }

    /// What apps may do has changed.
    mutating func policyChanged(_ turn: inout ServiceTurn) { core.proceed(&turn) }

    // MARK: Events of the host

    mutating func cameUp(_ turn: inout ServiceTurn) { core.cameUp(&turn) }

    mutating func wentDown(_ turn: inout ServiceTurn) { core.wentDown(&turn) }

    mutating func heard(_ report: AdvertisingReport, _ turn: inout ServiceTurn) { core.heard(report, &turn) }

    mutating func scanningEnded(_ end: ScanEnd, _ turn: inout ServiceTurn) { core.scanningEnded(end, turn) }

    mutating func connected(_ description: ConnectionDescription, _ turn: inout ServiceTurn) {
        switch description.role {
        case .central: core.linkMade(description, &turn)
        case .peripheral: core.linkCame(description, &turn)
        }
    }

    mutating func connectFailed(_ failure: ConnectFailure, _ turn: inout ServiceTurn) {
        core.connectFailed(failure, &turn)
    }

    mutating func disconnected(_ connection: ConnectionID, _ reason: ControllerError, _ turn: inout ServiceTurn) {
        core.linkLost(connection, reason, &turn)
    }

    mutating func mtuChanged(_ connection: ConnectionID, _ mtu: Int, _ turn: inout ServiceTurn) {
        core.mtuChanged(connection, mtu, &turn)
    }

    /// The signal strength that an app has asked for; nil if it cannot be read.
    mutating func signalStrength(_ connection: ConnectionID, _ strength: SignalStrength?, _ turn: inout ServiceTurn) {
        core.signalStrength(connection, strength.map { .success($0) } ?? .failure(.local(.unknown)), &turn)
    }

    mutating func readyToSend(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.readyToSend(connection, &turn)
    }

    mutating func attTimedOut(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.attTimedOut(connection, &turn)
    }

    mutating func handle(_ event: GATTClientEvent, _ turn: inout ServiceTurn) {
        switch event {
        case .procedureCompleted(let procedure, let connection, let result):
            core.procedureCompleted(procedure, on: connection, result, &turn)
        case .notificationReceived(let connection, let handle, let value, _):
            core.notified(connection, handle, value, &turn)
        case .unexpectedPDU: break
        }
    }

    // MARK: Security

    mutating func encryptionChanged(_ connection: ConnectionID, _ security: LinkSecurity, _ turn: inout ServiceTurn) {
        core.encryptionChanged(connection, security, &turn)
    }

    mutating func encryptionFailed(_ connection: ConnectionID, _ reason: ControllerError, _ turn: inout ServiceTurn) {
        core.encryptionFailed(connection, reason, &turn)
    }

    mutating func paired(_ connection: ConnectionID, _ turn: inout ServiceTurn) { core.paired(connection, &turn) }

    mutating func pairingFailed(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.pairingFailed(connection, &turn)
    }

    func securityRequested(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        core.securityRequested(connection, &turn)
    }

    // MARK: Channels

    /// A peer has opened a channel that it was asked for. Returns which session it is for; nil if it is not wanted any
    /// more.
    mutating func opened(_ channel: L2CAPChannelID) -> SessionID? { core.opened(channel) }

    /// A channel is a session's own now.
    mutating func emit(
        _ channel: OpenChannel,
        on connection: ConnectionID,
        to session: SessionID,
        _ turn: inout ServiceTurn
    ) { core.emit(channel, on: connection, to: session, &turn) }

    mutating func openingFailed(_ channel: L2CAPChannelID, _ failure: ChannelOpenFailure, _ turn: inout ServiceTurn) {
        core.openingFailed(channel, failure, &turn)
    }

    // MARK: Time

    var nextDeadline: Instant? { mutating get { core.nextDeadline } }

    mutating func expire(_ turn: inout ServiceTurn) { core.expire(&turn) }

    // MARK: Questions

    /// Why the phone itself ends a connection; nil if it does not, or if apps want it.
    func fault(of connection: ConnectionID) -> ServiceFault? {
        core.link(connection).flatMap { core.links[$0].fault }
    }

    /// A peer that was met before this phone was switched on.
    mutating func remember(_ address: DeviceAddress) { core.remember(address) }

    /// Whether the link to a peer is encrypted; false where there is no link.
    func isLinkEncrypted(to peer: PeerID, _ names: PeerNames) -> Bool {
        guard let known = core.peerIndex(of: peer, names), let link = core.link(to: known) else { return false }
        return core.links[link].isEncrypted
    }

    func overflowObstacle(for app: AppID, _ apps: AppLifecycle) -> OverflowObstacle? {
        core.overflowObstacle(for: app, apps)
    }

    var hiddenReports: [HiddenReport] { core.hidden.all }
}
