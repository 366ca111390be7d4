import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// One call of the service at a time: what it came with, and what comes of it. Each machine gets it passed on and adds to it.
struct ServiceTurn: ~Copyable {
    /// Nil between two turns.
    private var presentHost: Host?
    private(set) var now = Instant.zero
    /// What the host wants done after this turn.
    var actions = HostActions()
    /// The clients, and the events for them.
    var clients: Clients

    init(clients: Clients) { self.clients = clients }

    mutating func begin(_ host: Host, at now: Instant) {
        presentHost = host
        self.now = now
    }

    mutating func end() { presentHost = nil }

    /// The phone's host.
    var host: Host {
        guard let presentHost else { preconditionFailure("no turn has begun") }
        return presentHost
    }

    // MARK: Events for clients

    /// Leaves an event for a client. It is delivered after the turn.
    ///
    /// - Parameter isForDelegate: false if no delegate hears of this one, so that no app is woken for it.
    mutating func emit(_ event: consuming SessionEvent, to session: SessionID, isForDelegate: Bool = true) {
        let wakesApps = isForDelegate && event.wakesApps
        guard let owner = clients.sessions.append(event, to: session),
            clients.apps.isHeard(by: owner.app, owner.role, wakesApps: wakesApps)
        else { return }
        clients.sessions.announceEvents()
    }

    mutating func emit(_ event: consuming CentralEvent, to session: SessionID) { emit(.central(event), to: session) }

    mutating func emit(_ event: consuming PeripheralEvent, to session: SessionID, isForDelegate: Bool = true) {
        emit(.peripheral(event), to: session, isForDelegate: isForDelegate)
    }

    /// Has a client hear of the radio, if that is different from what it heard last.
    mutating func emitState(to session: SessionID) {
        guard let owner = clients.sessions.owner(of: session) else { return }
        let state = clients.radioState(for: owner.app, owner.role)
        if clients.sessions.changeState(to: state, of: session) { emit(.state(state), to: session) }
    }

    /// Keeps what a developer should know. What comes from a session that has ended is dropped.
    mutating func note(_ kind: MisuseKind, _ sentence: String, of session: SessionID) {
        guard let app = clients.sessions.app(of: session) else { return }
        note(kind, sentence, of: session, app)
    }

    mutating func note(_ kind: MisuseKind, _ sentence: String, of session: SessionID, _ app: AppID) {
        clients.misuse.add(
            BluetoothService.Misuse(session: session, app: app, time: now, kind: kind, sentence: sentence)
        )
    }

    // MARK: What clients may do

    /// Whether a session's app is on the screen.
    func isInForeground(_ session: SessionID) -> Bool {
        clients.sessions.app(of: session).map(clients.apps.isInForeground) ?? false
    }

    /// Whether a session goes on at the moment: its app is in the foreground, or may do it elsewhere.
    func isActive(_ session: SessionID) -> Bool {
        clients.sessions.owner(of: session).map { clients.apps.isActive($0.app, $0.role) } ?? false
    }

    // MARK: Peers

    /// Under which name an app knows a peer.
    mutating func name(of peer: DeviceAddress, for app: AppID) -> PeerID { clients.names.name(of: peer, for: app) }
}

/// What all machines share: the clients that they work for. They ask and add; what each
/// of these keeps is private to it.
struct Clients {
    /// Whether the radio can be used; not yet what an app hears, which may not be allowed to.
    var radio = RadioState.unknown
    var sessions = SessionTable()
    var apps = AppLifecycle()
    /// Under which names the apps know peers.
    var names = PeerNames()
    var misuse = MisuseLog()
    /// What the phone's person is to be asked after the turn.
    var questions: [PairingQuestion] = []
    /// Whether the phone has no peripheral managers.
    private var isCentralOnly: Bool

    init(settings: PhoneSettings) {
        apps = AppLifecycle(settings: settings)
        isCentralOnly = settings.kind.isCentralOnly
    }

    /// The events of the first client that has some and whose app runs; nil if there is none.
    mutating func takeNextEvents() -> (client: SessionID, events: [SessionEvent])? {
        sessions.takeNextEvents(apps)
    }

    /// What an app hears of the radio, which it may not be allowed to use.
    func radioState(for app: AppID, _ role: SessionDescription.Role) -> RadioState {
        guard radio != .unknown, radio != .unsupported else { return radio }
        guard role == .central || !isCentralOnly else { return .unsupported }
        switch apps.authorization(of: app) {
        case .notDetermined: return .unknown
        case .denied, .restricted: return .unauthorized
        case .allowedAlways: return radio
        }
    }
}
