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
        public let time: Instant
        public let sentence: String
    }

    struct Session {
        let id: SessionID
        let app: AppID
        let description: SessionDescription
        var news: [SessionNews] = []
    }

    /// Called when there is news for clients where there was none; the owner then fetches it, but not from here.
    public var newsArrived: (() -> Void)?

    /// Whether the radio can be used; not yet what an app is told, which may not be allowed to.
    public private(set) var radio = RadioState.unknown
    /// What developers were told, in order.
    public private(set) var misuse: [Misuse] = []

    /// In the order in which they came; there are few.
    private(set) var sessions: [Session] = []
    /// Whether there is news that nobody has fetched.
    public private(set) var hasNews = false
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
    public func open(_ id: SessionID, _ description: SessionDescription, of app: AppID = AppID(number: 0)) {
        sessions.append(Session(id: id, app: app, description: description))
        if description.role == .peripheral { tell(.peripheral(.updateWindow(settings.updateWindow)), to: id) }
        if description.role == .central { openCentral(id, of: app) }
        if radio != .unknown { tell(.state(radio), to: id) }
    }

    /// A manager is gone.
    public func close(_ id: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        sessions.removeAll { $0.id == id }
        closeChannels(of: id, host: host, at: now, into: &actions)
        closePeripheral(id, host: host, at: now, into: &actions)
        closeCentral(id, host: host, at: now, into: &actions)
    }

    /// Carries out what a manager wants. What comes from a manager that is gone is too late.
    public func perform(
        _ order: SessionOrder,
        from id: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard sessions.contains(where: { $0.id == id }) else { return }
        switch order {
        case .noteMisuse(let sentence): note(sentence, of: id, at: now)
        case .peripheral(let order): perform(order, from: id, host: host, at: now, into: &actions)
        case .central(let order): perform(order, from: id, host: host, at: now, into: &actions)
        case .channel(let channel, let order):
            perform(order, on: channel, from: id, host: host, at: now, into: &actions)
        }
    }

    /// Hands over the news that wait, for each client in the order of events.
    public func takeNews(_ body: (SessionID, [SessionNews]) -> Void) {
        hasNews = false
        for index in sessions.indices where !sessions[index].news.isEmpty {
            let news = sessions[index].news
            sessions[index].news = []
            body(sessions[index].id, news)
        }
    }

    // MARK: The phone

    /// Somebody switches Bluetooth on or off.
    public func switchPower(_ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        if isOn {
            host.powerOn(at: now, into: &actions)
        } else {
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
        case .controllerFailed: change(to: .resetting)
        case .channel(let event): handle(event, host: host, at: now, into: &actions)
        default: break
        }
        handlePeripheral(event, host: host, at: now, into: &actions)
        handleCentral(event, host: host, at: now, into: &actions)
    }

    public var nextDeadline: Instant? { central.nextDeadline }

    public func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        expireCentral(host: host, at: now, into: &actions)
    }

    // MARK: Help

    func app(of id: SessionID) -> AppID? { sessions.first { $0.id == id }?.app }

    /// Keeps what a developer should know.
    func note(_ sentence: String, of id: SessionID, at now: Instant) {
        misuse.append(Misuse(session: id, time: now, sentence: sentence))
    }

    private func change(to state: RadioState) {
        guard state != radio else { return }
        radio = state
        if state != .poweredOn {
            channelsWentDown()
            centralWentDown()
        }
        for session in sessions { tell(.state(state), to: session.id) }
    }

    /// Adds to the last news of a client if it is of the same kind: writes that have left a connection.
    func addToLastNews(sent count: Int, _ link: LinkID, to id: SessionID) -> Bool {
        guard let index = sessions.firstIndex(where: { $0.id == id }), let last = sessions[index].news.indices.last,
            case .central(.peer(let peer, link, .writesSent(let before))) = sessions[index].news[last]
        else { return false }
        sessions[index].news[last] = .central(.peer(peer, link, .writesSent(before + count)))
        return true
    }

    func tell(_ news: SessionNews, to id: SessionID) {
        guard let index = sessions.firstIndex(where: { $0.id == id }) else { return }
        sessions[index].news.append(news)
        guard !hasNews else { return }
        hasNews = true
        newsArrived?()
    }
}
