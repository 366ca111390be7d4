import BluethroatBluetoothValues
import BluethroatVirtualTime

/// The life of a phone's apps, as far as it changes what Bluetooth does for them. An app that was not installed is in
/// the foreground and may do everything.
struct AppLifecycle {
    /// In the order in which they were installed, or first heard of.
    private var apps = Table<AppRecord>()
    /// Grows with each app that comes to the foreground.
    private var foregroundCount: UInt64 = 0
    /// Whether something has happened for apps in the background, suspended or ended.
    private(set) var hasAppsToWake = false
    /// Whether an app that was suspended runs again, and the service's owner has still to hear of it.
    private var hasResumed = false
    /// Apps that are to be launched.
    private var relaunches: [Relaunch] = []
    /// Whether the phone's screen is lit.
    private(set) var isScreenOn = true
    /// What the system has shown to the phone's person, in order.
    private(set) var alerts: [SystemAlert] = []
    // As `PhoneSettings` has them.
    private var suspensionDelay = TimeSpan.zero
    private var wakeLength = TimeSpan.zero
    private var restorationTime = TimeSpan.zero

    init() {}

    init(settings: PhoneSettings) {
        suspensionDelay = settings.suspensionDelay
        wakeLength = settings.wakeLength
        restorationTime = settings.restorationTime
    }

    // MARK: Questions

    func state(of app: AppID) -> AppState { record(of: app).state }
    func modes(of app: AppID) -> BackgroundModes { record(of: app).modes }
    func authorization(of app: AppID) -> Authorization { record(of: app).authorization }
    func rangesBeacons(_ app: AppID) -> Bool { record(of: app).rangesBeacons }
    func isInForeground(_ app: AppID) -> Bool { record(of: app).state == .foreground }
    func isActive(_ app: AppID, _ role: SessionDescription.Role) -> Bool { record(of: app).isActive(role) }

    /// Whether an app scans with a lit screen to range beacons.
    var isRanging: Bool { isScreenOn && apps.contains { $0.rangesBeacons } }

    /// Apps that have made a manager, are on the screen, and whose person was not asked yet whether they may.
    var prompts: [AppID] {
        apps.filter { $0.wantsPrompt && $0.state == .foreground && $0.authorization == .notDetermined }.map(\.id)
    }

    /// Why an app does not learn of services in the overflow area: only while the screen is lit, and off the screen only
    /// while it ranges beacons.
    func overflowObstacle(for id: AppID) -> OverflowObstacle? {
        guard isScreenOn else { return .darkScreen }
        let app = record(of: id)
        return app.state == .foreground || app.rangesBeacons ? nil : .noRanging
    }

    /// When an app is to be suspended, or what was kept for it to be given up.
    var nextDeadline: Instant? {
        var next = Instant.distantFuture
        for app in apps.indices {
            if let suspension = apps[app].suspension, suspension < next { next = suspension }
            if let discard = apps[app].discard, discard < next { next = discard }
        }
        return next == .distantFuture ? nil : next
    }

    func record(of id: AppID) -> AppRecord { apps.first { $0.id == id } ?? AppRecord(id: id) }

    private mutating func index(of id: AppID) -> TableIndex<AppRecord> {
        apps.firstIndex { $0.id == id } ?? apps.append(AppRecord(id: id))
    }

    // MARK: What happens to apps

    mutating func install(_ id: AppID, _ modes: BackgroundModes, _ authorization: Authorization, _ state: AppState) {
        let app = index(of: id)
        apps[app].modes = modes
        apps[app].authorization = authorization
        if state == .foreground { comeToFront(app) }
        apps[app].state = state
    }

    /// The app comes to the screen. `isKept`: whether managers of it are to be restored.
    mutating func enterForeground(_ id: AppID, isKept: Bool, at now: Instant) {
        let app = index(of: id)
        if !apps[app].state.isRunning { expectManagers(of: app, isKept, at: now) }
        if apps[app].state == .suspended { hasResumed = true }
        comeToFront(app)
        apps[app].state = .foreground
        apps[app].suspension = nil
    }

    /// The app leaves the screen, or is launched without ever being on it.
    mutating func enterBackground(_ id: AppID, isKept: Bool, at now: Instant) {
        let app = index(of: id)
        if !apps[app].state.isRunning { expectManagers(of: app, isKept, at: now) }
        apps[app].state = .background
        apps[app].stayAwake(until: now.after(suspensionDelay))
    }

    mutating func suspend(_ id: AppID) {
        let app = index(of: id)
        apps[app].state = .suspended
        apps[app].suspension = nil
        apps[app].isToBeWoken = false
    }

    mutating func terminate(_ id: AppID, byPerson: Bool) {
        let app = index(of: id)
        apps[app].state = byPerson ? .forceQuit : .terminated
        apps[app].suspension = nil
        apps[app].discard = nil
        apps[app].wantsPrompt = false
        apps[app].rangesBeacons = false
    }

    /// Nothing that has happened so far is a reason to launch the app.
    mutating func dropWakeUp(of id: AppID) { apps[index(of: id)].isToBeWoken = false }

    mutating func rangeBeacons(_ id: AppID, _ isOn: Bool, at now: Instant) {
        let app = index(of: id)
        apps[app].rangesBeacons = isOn
        if apps[app].state == .background { apps[app].stayAwake(until: now.after(suspensionDelay)) }
    }

    /// False if the screen is so already.
    mutating func switchScreen(_ isOn: Bool) -> Bool {
        guard isOn != isScreenOn else { return false }
        isScreenOn = isOn
        return true
    }

    // MARK: Its person's permission

    /// A manager was made; its app's person may still have to be asked.
    mutating func askPerson(of id: AppID) {
        let app = index(of: id)
        if apps[app].authorization == .notDetermined { apps[app].wantsPrompt = true }
    }

    mutating func authorize(_ id: AppID, _ authorization: Authorization, hasManagers: Bool) {
        let app = index(of: id)
        apps[app].authorization = authorization
        if authorization == .notDetermined { apps[app].wantsPrompt = hasManagers }
    }

    // MARK: Waking

    /// Whether there is, or will be, a running app for an event of a manager in this role. Notes that it is to be woken.
    mutating func isHeard(by id: AppID, _ role: SessionDescription.Role, wakesApps: Bool) -> Bool {
        let app = index(of: id)
        let isAllowed = apps[app].modes.contains(BackgroundModes(of: role))
        switch apps[app].state {
        case .foreground: return true
        case .background:
            if isAllowed, wakesApps { wakeLater(app) }
            return true
        case .suspended, .terminated:
            guard isAllowed, wakesApps else { return false }
            wakeLater(app)
            return true
        case .notRunning, .forceQuit: return false
        }
    }

    /// Whether an app that was suspended runs again since this was asked last.
    mutating func takeResumption() -> Bool {
        defer { hasResumed = false }
        return hasResumed
    }

    private mutating func wakeLater(_ app: TableIndex<AppRecord>) {
        apps[app].isToBeWoken = true
        hasAppsToWake = true
    }

    /// Lets those apps run that something has happened for, and notes those that are to be launched for it.
    mutating func wake(_ sessions: SessionTable, at now: Instant) {
        hasAppsToWake = false
        for app in apps.indices where apps[app].isToBeWoken {
            apps[app].isToBeWoken = false
            switch apps[app].state {
            case .suspended:
                hasResumed = true
                apps[app].state = .background
                apps[app].stayAwake(until: now.after(wakeLength))
            case .background: apps[app].stayAwake(until: now.after(wakeLength))
            case .terminated: relaunch(app, sessions, at: now)
            case .notRunning, .foreground, .forceQuit: break
            }
        }
    }

    private mutating func relaunch(_ app: TableIndex<AppRecord>, _ sessions: SessionTable, at now: Instant) {
        let id = apps[app].id
        relaunches.append(
            Relaunch(
                app: id,
                centrals: sessions.keptIdentifiers(of: id, .central),
                peripherals: sessions.keptIdentifiers(of: id, .peripheral)
            )
        )
        expectManagers(of: app, sessions.isKept(for: id), at: now)
        apps[app].state = .background
        apps[app].stayAwake(until: now.after(wakeLength))
    }

    /// The apps that are to be launched.
    mutating func takeRelaunches() -> [Relaunch] {
        defer { relaunches = [] }
        return relaunches
    }

    // MARK: Time

    /// The apps for which a deadline has come.
    func due(at now: Instant) -> [AppID] {
        guard let next = nextDeadline, next <= now else { return [] }
        return apps.map(\.id)
    }

    func isToBeSuspended(_ id: AppID, at now: Instant) -> Bool {
        record(of: id).suspension.map { $0 <= now } ?? false
    }

    /// Whether what was kept for an app is to be given up now.
    mutating func takeDiscard(of id: AppID, at now: Instant) -> Bool {
        let app = index(of: id)
        guard let discard = apps[app].discard, discard <= now else { return false }
        apps[app].discard = nil
        return true
    }

    /// All that was kept for an app has been taken back.
    mutating func managersCameBack(of id: AppID) { apps[index(of: id)].discard = nil }

    /// What was kept for an app that is launched now is not kept for ever.
    private mutating func expectManagers(of app: TableIndex<AppRecord>, _ isKept: Bool, at now: Instant) {
        apps[app].discard = isKept ? now.after(restorationTime) : nil
    }

    private mutating func comeToFront(_ app: TableIndex<AppRecord>) {
        foregroundCount += 1
        apps[app].lastForeground = foregroundCount
    }

    // MARK: Alerts

    mutating func show(_ alert: SystemAlert) { alerts.append(alert) }

    /// Whether none of an app's code runs.
    func isAsleep(_ id: AppID) -> Bool { !record(of: id).state.executes }

    /// Whether one app was in the foreground later than another.
    func wasInForeground(_ left: AppID, before right: AppID) -> Bool {
        record(of: left).lastForeground < record(of: right).lastForeground
    }
}
