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

    /// Whether an app makes use of iBeacon ranging, which keeps it awake in the background.
    public func rangesBeacons(_ app: AppID) -> Bool { record(of: app).rangesBeacons }

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
        stayAwake(index, until: now.after(settings.suspensionDelay))
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

    /// The app begins to range beacons, or ends that.
    public func rangeBeacons(_ app: AppID, _ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        let index = index(of: app)
        apps[index].rangesBeacons = isOn
        if apps[index].state == .background { stayAwake(index, until: now.after(settings.suspensionDelay)) }
        policyChanged(host: host, at: now, into: &actions)
    }

    /// The screen is lit, or goes dark.
    public func switchScreen(_ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        guard isOn != isScreenOn else { return }
        isScreenOn = isOn
        policyChanged(host: host, at: now, into: &actions)
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

    private func comesToFront(_ index: Int) {
        foregroundCount += 1
        apps[index].lastForeground = foregroundCount
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
