import BluetoothValues
public import Host
public import VirtualTime

/// The Bluetooth service of a phone: it stands between the phone's host and the managers of its apps.
///
/// Like every machine below the edges it is told what happened and when. What it has for its clients it keeps until the
/// owner fetches it, after the host's work is done: a client may then order something at once.
public final class BluetoothService: HostApplication {
    /// Something that a developer should know.
    public struct Misuse: Hashable, Sendable {
        public let session: SessionID
        public let app: AppID
        public let time: Instant
        public let sentence: String
    }

    struct Session {
        let id: SessionID
        /// Under which name the client knows it; nil while there is none: its app was ended, and may come back.
        var client: SessionID?
        let app: AppID
        let description: SessionDescription
        var news: [SessionEvent] = []
        /// What the client was told last.
        var state: RadioState?
        /// What the client that comes back is shown first.
        var kept: Kept?
        /// What it advertised when its app left the foreground.
        var frozenAdvertisement: AdvertisementRequest?

        enum Kept {
            case central(CentralRestoration)
            case peripheral(PeripheralRestoration)
        }
    }

    /// Called when there is news for clients where there was none; the owner then fetches it, but not from here.
    public var eventsPending: (() -> Void)?
    /// Called with whatever developers are told, for logs.
    public var misuseNoted: ((Misuse) -> Void)?

    /// Whether the radio can be used; not yet what an app is told, which may not be allowed to.
    public private(set) var radio = RadioState.unknown
    /// What developers were told, in order; of very much only the latest.
    public private(set) var misuse: [Misuse] = []
    private static let misuseLimit = 10_000

    /// In the order in which they came; there are few.
    var sessions: [Session] = []
    /// In the order in which they were installed, or first heard of.
    var apps: [AppRecord] = []
    /// Grows with each app that comes to the foreground.
    var foregroundCount: UInt64 = 0
    /// Whether something has happened for apps in the background, suspended or ended; `wakeApps` then is to be called.
    public internal(set) var hasAppsToWake = false
    /// Apps that are to be launched.
    var relaunches: [Relaunch] = []
    /// Whether the phone's screen is lit.
    public internal(set) var isScreenOn = true
    /// What the system has shown to the phone's person, in order.
    public internal(set) var alerts: [SystemAlert] = []
    /// Whether there is news that nobody has fetched.
    public private(set) var hasEvents = false
    /// What this phone is like.
    public let settings: PhoneSettings
    /// Under which names the apps know peers.
    var names = PeerNames()
    var peripheral = PeripheralSide()
    var central = CentralSide()
    var channels = ChannelTable()

    /// The service of a phone that is like this.
    public init(settings: PhoneSettings = PhoneSettings()) { self.settings = settings }

    // MARK: Clients

    /// A manager of an app introduces itself, under a name that the port has drawn.
    public func open(
        _ id: SessionID,
        _ description: SessionDescription,
        of app: AppID = AppID(number: 0),
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard record(of: app).state.isRunning else {
            return note("your app makes a manager while it does not run: launch it first", of: id, app, at: now)
        }
        let description = restorable(description, id, of: app, at: now)
        if comesBack(id, description, of: app) { return }
        sessions.append(Session(id: id, client: id, app: app, description: description))
        if description.role == .peripheral { tell(.peripheral(.updateWindow(settings.updateWindow)), to: id) }
        if description.role == .central { openCentral(id, of: app) }
        tellState(sessions.count - 1)
        askPerson(of: app)
        if description.showsPowerAlert, radio == .poweredOff, record(of: app).state == .foreground {
            alerts.append(SystemAlert(app: app, time: now, occasion: .bluetoothIsOff))
        }
    }

    /// A manager is gone.
    public func close(_ client: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let index = sessions.firstIndex(where: { $0.client == client }) else { return }
        end(sessions[index].id, host: host, at: now, into: &actions)
    }

    /// Nobody wants anything of a session any more.
    func end(_ id: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        sessions.removeAll { $0.id == id }
        closeChannels(of: id, host: host, at: now, into: &actions)
        closePeripheral(id, host: host, at: now, into: &actions)
        closeCentral(id, host: host, at: now, into: &actions)
    }

    /// Carries out what a manager wants. What comes from a manager that is gone is too late.
    public func perform(
        _ order: SessionCommand,
        from client: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let session = sessions.first(where: { $0.client == client }) else { return }
        let id = session.id
        switch order {
        case .noteMisuse(let sentence): note(sentence, of: id, at: now)
        case .peripheral(let order):
            guard record(of: session.app).authorization == .allowedAlways else { return }
            perform(order, from: id, host: host, at: now, into: &actions)
        case .central(let order): perform(order, from: id, host: host, at: now, into: &actions)
        case .channel(let channel, let order):
            perform(order, on: channel, from: id, host: host, at: now, into: &actions)
        }
    }

    /// Hands over the news that wait, for each client in the order of events. Those of apps that do not run stay.
    public func deliverEvents(_ body: (SessionID, [SessionEvent]) -> Void) {
        hasEvents = false
        // Looked for anew each time: whoever gets news may end apps.
        while let index = sessions.firstIndex(where: hasNewsForClient), let client = sessions[index].client {
            let news = sessions[index].news
            sessions[index].news = []
            body(client, news)
        }
    }

    private func hasNewsForClient(_ session: Session) -> Bool {
        session.client != nil && !session.news.isEmpty && record(of: session.app).state.executes
    }

    // MARK: The phone

    /// Somebody switches Bluetooth on or off in the settings. Off ends what was kept for apps that do not run; on changes
    /// nothing where it is on.
    public func switchPower(_ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        if isOn {
            guard radio != .poweredOn else { return }
            host.powerOn(at: now, into: &actions)
        } else {
            discardKept(host: host, at: now, into: &actions) { _ in true }
            host.powerOff(at: now, into: &actions)
            change(to: .poweredOff)
        }
    }

    // MARK: HostApplication

    public func start(host: Host, at now: Instant, into actions: inout HostActions) {
        publishOwnServices(host: host, at: now, into: &actions)
        host.powerOn(at: now, into: &actions)
    }

    public func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn(let identity):
            names.phone = identity.address.value
            centralCameUp(host: host)
            change(to: .poweredOn)
        case .startFailed: change(to: .unsupported)
        case .controllerFailed:
            discardKept(host: host, at: now, into: &actions) { _ in true }
            change(to: .resetting)
        case .channel(let event): handle(event, host: host, at: now, into: &actions)
        default: break
        }
        handlePeripheral(event, host: host, at: now, into: &actions)
        handleCentral(event, host: host, at: now, into: &actions)
    }

    public var nextDeadline: Instant? {
        var next = central.nextDeadline ?? .distantFuture
        // Asked after each packet.
        for app in apps {
            if let suspension = app.suspension, suspension < next { next = suspension }
            if let discard = app.discard, discard < next { next = discard }
        }
        return next == .distantFuture ? nil : next
    }

    public func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        expireApps(host: host, at: now, into: &actions)
        expireCentral(host: host, at: now, into: &actions)
    }

    // MARK: Help

    func app(of id: SessionID) -> AppID? { sessions.first { $0.id == id }?.app }

    /// Keeps what a developer should know.
    func note(_ sentence: String, of id: SessionID, at now: Instant) {
        guard let app = app(of: id) else { return }
        note(sentence, of: id, app, at: now)
    }

    func note(_ sentence: String, of id: SessionID, _ app: AppID, at now: Instant) {
        let new = Misuse(session: id, app: app, time: now, sentence: sentence)
        // A process may run for years.
        if misuse.count >= Self.misuseLimit { misuse.removeFirst(Self.misuseLimit / 2) }
        misuse.append(new)
        misuseNoted?(new)
    }

    private func change(to state: RadioState) {
        guard state != radio else { return }
        radio = state
        if state != .poweredOn {
            channelsWentDown()
            centralWentDown()
        }
        for index in sessions.indices { tellState(index) }
    }

    /// Adds to the last news of a client if it is of the same kind: writes that have left a connection.
    func addToLastNews(sent count: Int, _ link: LinkID, to id: SessionID) -> Bool {
        guard let index = sessions.firstIndex(where: { $0.id == id }), let last = sessions[index].news.indices.last,
            case .central(.peer(let peer, link, .writesSent(let before))) = sessions[index].news[last]
        else { return false }
        sessions[index].news[last] = .central(.peer(peer, link, .writesSent(before + count)))
        return true
    }

    func tell(_ news: SessionEvent, to id: SessionID) {
        guard let index = sessions.firstIndex(where: { $0.id == id }) else { return }
        sessions[index].news.append(news)
        guard call(forNewsOf: index, news) else { return }
        announceNews()
    }

    /// Has the owner fetch what there is.
    func announceNews() {
        guard !hasEvents else { return }
        hasEvents = true
        eventsPending?()
    }
}
