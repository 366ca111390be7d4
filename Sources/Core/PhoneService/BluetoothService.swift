public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// The Bluetooth service of a phone: it stands between the phone's host and the managers of its apps.
///
/// Like every machine below the edges it is given what happened and when. What it has for its clients it keeps until the
/// owner fetches it, after the host's work is done: a client may then send a command at once.
///
/// This class is the way in and out. Every call that can change something is a `ServiceTurn`, which `ServiceMachines`
/// routes to the machine that it concerns.
public final class BluetoothService: HostApplication {
    /// Something that a developer should know.
    public struct Misuse: Hashable, Sendable {
        public let session: SessionID
        public let app: AppID
        public let time: Instant
        public let kind: MisuseKind
        public let sentence: String
    }

    // As with the state, accesses are checked in debug builds only.
    /// Called when there are events for clients where there were none; the owner then fetches them, but not from here.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public var eventsPending: (() -> Void)?
    /// Called when an app that was suspended runs again; when the call that it comes from is over.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public var appsResumed: (() -> Void)?
    /// Called with what developers hear, for logs; when the call that it comes from is over.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public var misuseNoted: ((Misuse) -> Void)?

    /// Called with what the phone's person is asked about pairings; when the call that it comes from is over.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var pairingAsked: ((PairingQuestion) -> Void)?

    /// What this phone is like.
    public var settings: PhoneSettings { shared.settings }
    private let shared: SharedPhoneSettings

    // One access for each call from outside. Debug builds check that no two overlap; release builds rely on the tests
    // having found none.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    fileprivate var state: State

    /// What a turn works on.
    fileprivate struct State: ~Copyable {
        var machines: ServiceMachines
        /// The clients are in it between two turns, too: there are turns for every packet, and nothing is moved for them.
        var turn: ServiceTurn
        /// When something is due; nil where that was not asked for since the last turn.
        var knownDeadline: Instant?
    }

    /// The service of a phone that is like this.
    public convenience init(settings: PhoneSettings = PhoneSettings()) {
        self.init(sharing: SharedPhoneSettings(settings))
    }

    /// The service of one of several phones that are alike.
    package init(sharing shared: SharedPhoneSettings) {
        self.shared = shared
        state = State(machines: ServiceMachines(shared), turn: ServiceTurn(clients: Clients(settings: shared.settings)))
    }

    /// The way in, and out again: the machines do what the turn is about, and then the owner hears what there is.
    @inline(__always)
    func turn(
        _ host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ body: (inout ServiceMachines, inout ServiceTurn) -> Void
    ) {
        state.perform(host, at: now, into: &actions, body)
        report()
    }

    private func report() {
        // Most turns have none of these.
        if state.turn.clients.misuse.hasUnreported {
            for misuse in state.turn.clients.misuse.takeUnreported() { misuseNoted?(misuse) }
        }
        if !state.turn.clients.questions.isEmpty {
            for question in state.takeQuestions() { pairingAsked?(question) }
        }
        if state.turn.clients.apps.takeResumption() { appsResumed?() }
        if state.turn.clients.sessions.takeAnnouncement() { eventsPending?() }
    }

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
        turn(host, at: now, into: &actions) { machines, turn in machines.open(id, description, of: app, &turn) }
    }

    /// A manager is gone.
    public func close(_ client: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.close(client, &turn) }
    }

    /// Carries out what a manager wants. What comes from a manager that is gone is too late.
    public func perform(
        _ command: SessionCommand,
        from client: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        turn(host, at: now, into: &actions) { machines, turn in machines.perform(command, from: client, &turn) }
    }

    /// Whether there are events that were not delivered.
    public var hasEvents: Bool { state.turn.clients.sessions.hasEvents }

    /// Delivers the events that wait, for each client in their order. Those of apps that do not run stay.
    public func deliverEvents(_ deliver: (SessionID, [SessionEvent]) -> Void) {
        state.turn.clients.sessions.beginDelivery()
        // Looked for anew each time: a client that hears something may end apps.
        while let (client, events) = state.turn.clients.takeNextEvents() { deliver(client, events) }
    }

    /// The sessions that there are, those included whose app was ended.
    var sessionCount: Int { state.turn.clients.sessions.count }

    // MARK: The phone

    /// The phone's person switches Bluetooth on or off in the settings. Off ends what was kept for apps that do not run;
    /// on changes nothing where it is on.
    public func switchPower(_ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.switchPower(isOn, &turn) }
    }

    /// Whether the radio can be used; not yet what an app hears, which may not be allowed to.
    public var radio: RadioState { state.turn.clients.radio }

    /// What developers heard, in order; of very much only the latest.
    public var misuse: [Misuse] { state.turn.clients.misuse.all }

    /// What apps did not hear of though the radio has heard it: of the overflow areas of others, in the order in which it
    /// began.
    public var hiddenReports: [HiddenReport] { state.machines.central.hiddenReports }

    /// The 16 bytes of the mask that the phone sends at the moment, as on the air; nil if it sends none.
    public var overflowMaskOnAir: [UInt8]? { radio == .poweredOn ? state.machines.peripheral.overflowMaskOnAir : nil }

    /// Why an app does not learn of services in the overflow area at the moment; nil if it would.
    public func overflowObstacle(for app: AppID) -> OverflowObstacle? {
        radio == .poweredOn ? state.machines.central.overflowObstacle(for: app, state.turn.clients.apps) : .poweredOff
    }

    /// The peer that apps mean by a name: the address, or the identity, by which the peer was named last.
    public func address(of peer: PeerID) -> DeviceAddress? { state.turn.clients.names.address(of: peer) }

    /// The phone knows a peer from earlier, though it has not met it since it was switched on. Answers the name under which
    /// an app means it.
    public func remember(_ address: DeviceAddress, for app: AppID) -> PeerID {
        state.machines.central.remember(address)
        return state.turn.clients.names.keepName(of: address, for: app)
    }

    /// Whether the link to a peer is encrypted; false where there is no link. The phone knows it, apps cannot ask.
    public func isLinkEncrypted(to peer: PeerID) -> Bool {
        state.machines.central.isLinkEncrypted(to: peer, state.turn.clients.names)
    }

    // MARK: Pairing

    /// Has the phone's person asked about pairings from now on: `answer` answers. With nil they agree to each, to one
    /// that replaces a bond unless `PhoneSettings.replacesBonds` says no, and type `PhoneSettings.passkey`. For a device without a
    /// person set `PairingSettings.bondReplacement` in its `HostConfiguration`.
    public func askAboutPairings(_ ask: ((PairingQuestion) -> Void)?, host: Host) {
        pairingAsked = ask
        state.machines.asksPerson = ask != nil
        host.pairingSettings.asksConsent = ask != nil
        host.pairingSettings.asksBeforeJustWorks = ask != nil
    }

    /// The phone's person answers a question. False if it is not open any more.
    @discardableResult
    public func answer(
        _ answer: PairingAnswer,
        to question: PairingQuestion,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        guard state.machines.isOpen(question) else { return false }
        return (try? host.answer(answer, on: question.connection, at: now, into: &actions)) != nil
    }

    // MARK: HostApplication

    public func start(host: Host, at now: Instant, into actions: inout HostActions) {
        if let shortest = settings.kind.shortestInterval { host.parameterRequestPolicy = .acceptFrom(shortest) }
        turn(host, at: now, into: &actions) { machines, turn in
            machines.peripheral.publishOwnServices(&turn)
            turn.host.powerOn(at: turn.now, into: &turn.actions)
        }
    }

    public func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.handle(event, &turn) }
    }

    public var nextDeadline: Instant? { state.nextDeadline }

    public func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.expire(&turn) }
    }

    // MARK: Apps

    /// The life of the apps, for questions and for changes that concern no machine.
    var apps: AppLifecycle { state.turn.clients.apps }

    func changeApps<Answer>(_ body: (inout AppLifecycle, SessionTable) -> Answer) -> Answer {
        defer { report() }
        return state.changeApps(body)
    }
}

extension BluetoothService.State {
    // Asked after each packet.
    fileprivate var nextDeadline: Instant? {
        mutating get {
            let next = knownDeadline ?? earliestDeadline
            knownDeadline = next
            return next == .distantFuture ? nil : next
        }
    }

    private var earliestDeadline: Instant {
        mutating get {
            min(machines.central.nextDeadline ?? .distantFuture, turn.clients.apps.nextDeadline ?? .distantFuture)
        }
    }

    fileprivate mutating func takeQuestions() -> [PairingQuestion] {
        defer { turn.clients.questions = [] }
        return turn.clients.questions
    }

    fileprivate mutating func changeApps<Answer>(_ body: (inout AppLifecycle, SessionTable) -> Answer) -> Answer {
        knownDeadline = nil
        return body(&turn.clients.apps, turn.clients.sessions)
    }

    /// Lends the host and the actions to a turn.
    fileprivate mutating func perform(
        _ host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ body: (inout ServiceMachines, inout ServiceTurn) -> Void
    ) {
        turn.begin(host, at: now)
        swap(&turn.actions, &actions)
        body(&machines, &turn)
        knownDeadline = nil
        swap(&turn.actions, &actions)
        turn.end()
    }
}
