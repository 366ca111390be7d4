public import BluethroatHost
public import BluethroatVirtualTime

/// The life of apps, as far as it changes what Bluetooth does for them. An app that was not installed is in the
/// foreground and may do everything.
extension BluetoothService {
    /// An app is installed. On watches and televisions it has no background modes.
    public func install(
        _ app: AppID,
        modes: BackgroundModes = [],
        authorization: Authorization = .allowedAlways,
        state: AppState = .notRunning
    ) {
        let modes = settings.kind.hasBackgroundModes ? modes : []
        changeApps { apps, _ in apps.install(app, modes, authorization, state) }
    }

    public func state(of app: AppID) -> AppState { apps.state(of: app) }

    public func modes(of app: AppID) -> BackgroundModes { apps.modes(of: app) }

    /// Whether an app makes use of iBeacon ranging, which keeps it awake in the background.
    public func rangesBeacons(_ app: AppID) -> Bool { apps.rangesBeacons(app) }

    /// Whether the phone's screen is lit.
    public var isScreenOn: Bool { apps.isScreenOn }

    /// What the system has shown to the phone's person, in order.
    public var alerts: [SystemAlert] { apps.alerts }

    // MARK: What happens to apps

    /// The app comes to the screen; it is launched if it does not run.
    public func enterForeground(_ app: AppID, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.enterForeground(app, &turn) }
    }

    /// The app leaves the screen, or is launched without ever being on it. It is suspended a little later.
    public func enterBackground(_ app: AppID, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.enterBackground(app, &turn) }
    }

    /// The app is in memory, and none of its code runs. One on the screen leaves that first.
    public func suspend(_ app: AppID, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.suspend(app, &turn) }
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
        turn(host, at: now, into: &actions) { machines, turn in machines.terminate(app, byPerson: byPerson, &turn) }
    }

    /// The app begins to range beacons, or ends that.
    public func rangeBeacons(_ app: AppID, _ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.rangeBeacons(app, isOn, &turn) }
    }

    /// The screen is lit, or goes dark.
    public func switchScreen(_ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        turn(host, at: now, into: &actions) { machines, turn in machines.switchScreen(isOn, &turn) }
    }

    // MARK: Authorization

    public func authorization(of app: AppID) -> Authorization { apps.authorization(of: app) }

    /// Apps that have made a manager, are on the screen, and whose person was not asked yet whether they may.
    public var prompts: [AppID] { apps.prompts }

    /// The person has said what the app may do.
    public func authorize(
        _ app: AppID,
        _ authorization: Authorization,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        turn(host, at: now, into: &actions) { machines, turn in machines.authorize(app, authorization, &turn) }
    }

    // MARK: Waking

    /// Whether something has happened for apps in the background, suspended or ended; `wakeApps` then is to be called.
    public var hasAppsToWake: Bool { apps.hasAppsToWake }

    /// Lets those apps run that something has happened for. To be called before events are delivered, if `hasAppsToWake`.
    public func wakeApps(host: Host, at now: Instant, into actions: inout HostActions) {
        wakeApps(at: now)
    }

    /// The same: the host has no part in it.
    package func wakeApps(at now: Instant) { changeApps { apps, sessions in apps.wake(sessions, at: now) } }

    /// The apps that are to be launched, since something has happened for which they are.
    public func takeRelaunches() -> [Relaunch] { changeApps { apps, _ in apps.takeRelaunches() } }
}
