/// The managers of a phone's apps, and the events that wait for them.
struct SessionTable {
    /// In the order in which they came; there are few.
    private var sessions = Table<Session>()
    /// Whether there are events that were not delivered.
    private(set) var hasEvents = false
    /// Whether the service's owner has still to hear that there are events.
    private var isUnannounced = false

    private struct Session {
        let id: SessionID
        /// Under which name the client knows it; nil while there is none: its app was ended, and may come back.
        var client: SessionID?
        let app: AppID
        let description: SessionDescription
        var events: [SessionEvent] = []
        /// What the client heard last.
        var state: RadioState?
        /// What the client that comes back is shown first.
        var kept: Kept?
    }

    /// What is kept for a client that is not there.
    enum Kept {
        case central(CentralRestoration)
        case peripheral(PeripheralRestoration)
    }

    /// Whose session it is.
    struct Owner {
        let app: AppID
        let role: SessionDescription.Role
    }

    // MARK: Who there is

    var count: Int { sessions.count }

    var all: [SessionID] { sessions.map(\.id) }

    mutating func add(_ id: SessionID, _ description: SessionDescription, of app: AppID) {
        sessions.append(Session(id: id, client: id, app: app, description: description))
    }

    mutating func remove(_ id: SessionID) { sessions.removeAll { $0.id == id } }

    /// The session of a client; nil if the client is gone.
    func session(of client: SessionID) -> SessionID? { sessions.first { $0.client == client }?.id }

    func app(of id: SessionID) -> AppID? { sessions.first { $0.id == id }?.app }

    func owner(of id: SessionID) -> Owner? {
        sessions.first { $0.id == id }.map { Owner(app: $0.app, role: $0.description.role) }
    }

    func hasClient(_ id: SessionID) -> Bool { sessions.contains { $0.id == id && $0.client != nil } }

    /// The sessions of an app, in the order in which they came.
    func all(of app: AppID) -> [SessionID] { sessions.filter { $0.app == app }.map(\.id) }

    private func index(of id: SessionID) -> TableIndex<Session>? { sessions.firstIndex { $0.id == id } }

    // MARK: Events

    /// Puts an event behind those that wait for a client. Returns whose session it is; nil if it has ended.
    mutating func append(_ event: consuming SessionEvent, to id: SessionID) -> Owner? {
        guard let index = index(of: id) else { return nil }
        // Mostly it is the only one: a list of one is made in one go.
        if sessions[index].events.isEmpty {
            sessions[index].events = [event]
        } else {
            sessions[index].events.append(event)
        }
        return Owner(app: sessions[index].app, role: sessions[index].description.role)
    }

    /// Adds to the last event that waits for a client if it is of the same kind: writes that have left a connection.
    mutating func addToLastEvent(sent count: Int, _ link: LinkID, to id: SessionID) -> Bool {
        guard let index = index(of: id), let last = sessions[index].events.indices.last,
            case .central(.peer(let peer, link, .writesSent(let before))) = sessions[index].events[last]
        else { return false }
        sessions[index].events[last] = .central(.peer(peer, link, .writesSent(before + count)))
        return true
    }

    /// Notes that there is something for a client that is there, or will be.
    mutating func announceEvents() {
        guard !hasEvents else { return }
        hasEvents = true
        isUnannounced = true
    }

    /// Whether the owner is to hear now that there are events.
    mutating func takeAnnouncement() -> Bool {
        defer { isUnannounced = false }
        return isUnannounced
    }

    /// All events are being delivered.
    mutating func beginDelivery() { hasEvents = false }

    /// The events of the first client that has some and whose app runs; nil if there is none.
    mutating func takeNextEvents(_ apps: AppLifecycle) -> (client: SessionID, events: [SessionEvent])? {
        let next = sessions.firstIndex { session in
            session.client != nil && !session.events.isEmpty && apps.state(of: session.app).executes
        }
        guard let next, let client = sessions[next].client else { return nil }
        let events = sessions[next].events
        sessions[next].events = []
        return (client, events)
    }

    /// Keeps what a client hears of the radio. False if it knows that already.
    mutating func changeState(to state: RadioState, of id: SessionID) -> Bool {
        guard let index = index(of: id), state != sessions[index].state ?? .unknown else { return false }
        sessions[index].state = state
        return true
    }

    // MARK: Restoration

    /// Whether something may be kept for the client of a session.
    func isRestorable(_ id: SessionID) -> Bool {
        sessions.contains { $0.id == id && $0.description.restoreIdentifier != nil }
    }

    /// The client is gone, and its session stays.
    mutating func detach(_ id: SessionID) {
        guard let index = index(of: id) else { return }
        sessions[index].client = nil
        sessions[index].events = []
    }

    mutating func keep(_ kept: Kept, for id: SessionID) {
        if let index = index(of: id) { sessions[index].kept = kept }
    }

    /// A client has come for which something was kept. It has the session from now on; what has happened meanwhile is
    /// to be put behind what it hears first.
    mutating func resume(
        as client: SessionID,
        _ description: SessionDescription,
        of app: AppID
    ) -> (session: SessionID, kept: Kept, meanwhile: [SessionEvent])? {
        guard let identifier = description.restoreIdentifier,
            let index = sessions.firstIndex(where: { session in
                session.app == app && session.client == nil && session.description.role == description.role
                    && session.description.restoreIdentifier == identifier
            }), let kept = sessions[index].kept
        else { return nil }
        let meanwhile = sessions[index].events
        sessions[index].client = client
        sessions[index].kept = nil
        sessions[index].events = []
        sessions[index].state = nil
        return (sessions[index].id, kept, meanwhile)
    }

    mutating func append(meanwhile events: [SessionEvent], to id: SessionID) {
        if let index = index(of: id) { sessions[index].events += events }
    }

    /// Whether sessions of an app wait for a client.
    func isKept(for app: AppID) -> Bool { sessions.contains { $0.app == app && $0.client == nil } }

    /// The sessions of these apps that wait for a client.
    func kept(where isMeant: (AppID) -> Bool) -> [SessionID] {
        sessions.filter { $0.client == nil && isMeant($0.app) }.map(\.id)
    }

    /// Under which names managers of an app are kept.
    func keptIdentifiers(of app: AppID, _ role: SessionDescription.Role) -> [String] {
        sessions.filter { $0.app == app && $0.client == nil && $0.description.role == role }
            .compactMap(\.description.restoreIdentifier)
    }
}
