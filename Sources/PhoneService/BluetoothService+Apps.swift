public import Host
public import VirtualTime

/// The life of apps, as far as it changes what Bluetooth does for them. An app that the service was told nothing of is
/// in the foreground and may do everything.
extension BluetoothService {
    /// An app is installed.
    public func install(
        _ app: AppID,
        modes: BackgroundModes = [],
        authorization: Authorization = .allowedAlways,
        state: AppState = .notRunning
    ) {
        let index = index(of: app)
        apps[index].modes = modes
        apps[index].authorization = authorization
        if state == .foreground { comesToFront(index) }
        apps[index].state = state
    }

    public func state(of app: AppID) -> AppState { record(of: app).state }

    public func modes(of app: AppID) -> BackgroundModes { record(of: app).modes }

    public func authorization(of app: AppID) -> Authorization { record(of: app).authorization }

    /// Whether an app makes use of iBeacon ranging, which keeps it awake in the background.
    public func rangesBeacons(_ app: AppID) -> Bool { record(of: app).rangesBeacons }

    /// Apps that have made a manager, are on the screen, and whose person was not asked yet whether they may.
    public var prompts: [AppID] {
        apps.filter { $0.wantsPrompt && $0.state == .foreground && $0.authorization == .notDetermined }.map(\.id)
    }

    // MARK: What happens to apps

    /// The app comes to the screen; it is launched if it does not run.
    public func enterForeground(_ app: AppID, host: Host, at now: Instant, into actions: inout HostActions) {
        let index = index(of: app)
        guard apps[index].state != .foreground else { return }
        if !apps[index].state.isRunning { expectManagers(of: index, at: now) }
        comesToFront(index)
        apps[index].state = .foreground
        apps[index].suspension = nil
        for session in sessions.indices where sessions[session].app == app {
            sessions[session].frozenAdvertisement = nil
        }
        policyChanged(host: host, at: now, into: &actions)
        announceNews()
    }

    /// The app leaves the screen, or is launched without ever being on it. It is suspended a little later.
    public func enterBackground(_ app: AppID, host: Host, at now: Instant, into actions: inout HostActions) {
        let index = index(of: app)
        guard apps[index].state != .background, apps[index].state != .suspended else { return }
        if !apps[index].state.isRunning { expectManagers(of: index, at: now) }
        apps[index].state = .background
        stayAwake(index, until: now + settings.suspensionDelay)
        for session in sessions.indices where sessions[session].app == app {
            let id = sessions[session].id
            let advertisement = peripheral.advertisements.first { $0.session == id }
            sessions[session].frozenAdvertisement = advertisement?.request
            if advertisement != nil { noteAdvertising(of: id, at: now) }
            if let client = central.client(id), let scan = central.clients[client].scan { note(scan, of: id, at: now) }
        }
        policyChanged(host: host, at: now, into: &actions)
    }

    /// The app is in memory, and none of its code runs. One on the screen leaves that first.
    public func suspend(_ app: AppID, host: Host, at now: Instant, into actions: inout HostActions) {
        enterBackground(app, host: host, at: now, into: &actions)
        let index = index(of: app)
        apps[index].state = .suspended
        apps[index].suspension = nil
        apps[index].isCalled = false
    }

    /// The app is ended. The system keeps what the app's managers want to be restored; a person who does it does not
    /// want that.
    public func terminate(
        _ app: AppID,
        byPerson: Bool,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let index = index(of: app)
        apps[index].state = byPerson ? .forceQuit : .terminated
        apps[index].suspension = nil
        apps[index].discard = nil
        apps[index].wantsPrompt = false
        apps[index].rangesBeacons = false
        for session in sessions.filter({ $0.app == app }) {
            guard !byPerson, keep(session.id, host: host, at: now, into: &actions) else {
                end(session.id, host: host, at: now, into: &actions)
                continue
            }
        }
        // That its channels are closed is nothing to launch it for.
        apps[index].isCalled = false
        policyChanged(host: host, at: now, into: &actions)
    }

    /// The person has said what the app may do.
    public func authorize(
        _ app: AppID,
        _ authorization: Authorization,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let index = index(of: app)
        guard authorization != apps[index].authorization else { return }
        let wasAsked = apps[index].authorization == .notDetermined
        apps[index].authorization = authorization
        if authorization == .notDetermined { apps[index].wantsPrompt = sessions.contains { $0.app == app } }
        if authorization != .allowedAlways {
            for session in sessions.filter({ $0.app == app }) {
                if session.client == nil {
                    end(session.id, host: host, at: now, into: &actions)
                } else {
                    dropEverything(of: session.id, host: host, at: now, into: &actions)
                }
            }
        }
        if settings.endsAppsOnAuthorizationChange, !wasAsked, apps[index].state.isRunning {
            return terminate(app, byPerson: false, host: host, at: now, into: &actions)
        }
        for session in sessions.indices where sessions[session].app == app { tellState(session) }
    }

    /// The app begins to range beacons, or ends that.
    public func rangeBeacons(_ app: AppID, _ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        let index = index(of: app)
        apps[index].rangesBeacons = isOn
        if apps[index].state == .background { stayAwake(index, until: now + settings.suspensionDelay) }
    }

    /// The screen is lit, or goes dark.
    public func switchScreen(_ isOn: Bool) { isScreenOn = isOn }

    // MARK: Waking

    /// Lets those run for whom something has happened. To be called before news are taken.
    public func wakeApps(host: Host, at now: Instant, into actions: inout HostActions) {
        for index in apps.indices where apps[index].isCalled {
            apps[index].isCalled = false
            switch apps[index].state {
            case .suspended:
                apps[index].state = .background
                stayAwake(index, until: now + settings.wakeLength)
            case .background: stayAwake(index, until: now + settings.wakeLength)
            case .terminated: relaunch(index, at: now)
            case .notRunning, .foreground, .forceQuit: break
            }
        }
    }

    /// The apps that are to be launched, since something has happened for which they are.
    public func takeRelaunches() -> [Relaunch] {
        defer { relaunches = [] }
        return relaunches
    }

    private func relaunch(_ index: Int, at now: Instant) {
        let kept = sessions.filter { $0.app == apps[index].id && $0.client == nil }
        func identifiers(of role: SessionDescription.Role) -> [String] {
            kept.filter { $0.description.role == role }.compactMap(\.description.restoreIdentifier)
        }
        relaunches.append(
            Relaunch(
                app: apps[index].id,
                centrals: identifiers(of: .central),
                peripherals: identifiers(of: .peripheral)
            )
        )
        expectManagers(of: index, at: now)
        apps[index].state = .background
        stayAwake(index, until: now + settings.wakeLength)
    }

    /// News for a session have come. Returns whether somebody is there to take them, or will be.
    func call(forNewsOf index: Int, _ news: SessionNews) -> Bool {
        let app = self.index(of: sessions[index].app)
        let isAllowed = apps[app].modes.contains(BackgroundModes(of: sessions[index].description.role))
        switch apps[app].state {
        case .foreground: return true
        case .background:
            if isAllowed, news.wakes { apps[app].isCalled = true }
            return true
        case .suspended, .terminated:
            guard isAllowed, news.wakes else { return false }
            apps[app].isCalled = true
            return true
        case .notRunning, .forceQuit: return false
        }
    }

    func expireApps(host: Host, at now: Instant, into actions: inout HostActions) {
        for index in apps.indices {
            if let suspension = apps[index].suspension, suspension <= now {
                suspend(apps[index].id, host: host, at: now, into: &actions)
            }
            if let discard = apps[index].discard, discard <= now {
                apps[index].discard = nil
                let app = apps[index].id
                discardKept(host: host, at: now, into: &actions) { $0 == app }
            }
        }
    }

    // MARK: Help

    func record(of app: AppID) -> AppRecord { apps[index(of: app)] }

    func index(of app: AppID) -> Int {
        if let index = apps.firstIndex(where: { $0.id == app }) { return index }
        apps.append(AppRecord(id: app))
        return apps.count - 1
    }

    /// Whether a session's app is on the screen.
    func isInForeground(_ id: SessionID) -> Bool { app(of: id).map { record(of: $0).state == .foreground } ?? false }

    /// Whether a session goes on at the moment: its app is in the foreground, or may do it elsewhere.
    func goesOn(_ id: SessionID) -> Bool {
        guard let session = sessions.first(where: { $0.id == id }) else { return false }
        let app = record(of: session.app)
        return app.state == .foreground || app.modes.contains(BackgroundModes(of: session.description.role))
    }

    /// A manager was made; its app's person may still have to be asked.
    func askPerson(of app: AppID) {
        let index = index(of: app)
        if apps[index].authorization == .notDetermined { apps[index].wantsPrompt = true }
    }

    /// Shows an alert for the app that was in the foreground last of those that do not run and want it.
    func alert(_ clients: [Int], _ peer: Int, at now: Instant, _ occasion: (PeerID, String?) -> SystemAlert.Occasion) {
        let asleep = clients.filter { !record(of: central.clients[$0].app).state.executes }
        let last = asleep.max { left, right in
            record(of: central.clients[left].app).lastForeground < record(of: central.clients[right].app).lastForeground
        }
        guard let client = last else { return }
        let occasion = occasion(name(of: peer, for: client), central.peers[peer].name)
        alerts.append(SystemAlert(app: central.clients[client].app, time: now, occasion: occasion))
    }

    private func comesToFront(_ index: Int) {
        foregroundCount += 1
        apps[index].lastForeground = foregroundCount
    }

    /// An app stays awake for as long as the latest reason says, or until it ranges no more.
    private func stayAwake(_ index: Int, until end: Instant) {
        apps[index].suspension = apps[index].rangesBeacons ? nil : max(end, apps[index].suspension ?? end)
    }

    /// What was kept for an app that is launched now is not kept for ever.
    private func expectManagers(of index: Int, at now: Instant) {
        let isKept = sessions.contains { $0.app == apps[index].id && $0.client == nil }
        apps[index].discard = isKept ? now + settings.restorationTime : nil
    }

    /// What apps may do has changed.
    private func policyChanged(host: Host, at now: Instant, into actions: inout HostActions) {
        guard radio == .poweredOn else { return }
        let old = peripheral.onAir
        refreshAdvertising(host: host, at: now, into: &actions)
        if old != nil, old == peripheral.onAir { advertisingStarted() }
        proceed(host: host, at: now, into: &actions)
    }
}
