public import BluethroatAppEnvironment
public import BluethroatPhoneService
public import CoreBluetooth

/// An app on a phone, and what its person and the phone do to it.
///
/// An app in the background is suspended after `PhoneSettings.suspensionDelay`. With a background mode it is woken for
/// each event, for `PhoneSettings.wakeLength`; without, what happens waits until it is in the foreground again.
public final class PhoneApp {
    public let id: AppID
    public let name: String
    /// What the app's managers have to find: the way to this phone. Each launch has another, so that nothing that is
    /// left of an earlier one reaches the phone any more.
    public private(set) var environment: BluetoothEnvironment
    // Asked for each command; each access is checked in debug builds only.
    /// How the app was launched, each time.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public private(set) var launches: [AppLaunch] = []
    /// What the app has made when it was launched; nil while it does not run.
    public private(set) var root: AnyObject?

    unowned let phone: Phone
    private let makeObjects: (AppLaunch) -> AnyObject?

    init(id: AppID, name: String, phone: Phone, makeObjects: @escaping (AppLaunch) -> AnyObject?) {
        self.id = id
        self.name = name
        self.phone = phone
        self.makeObjects = makeObjects
        environment = phone.environment(of: id, launch: 0)
    }

    public var state: AppState { phone.service.state(of: id) }

    public var backgroundModes: BackgroundModes { phone.service.modes(of: id) }

    /// What the app has made when it was launched, as what it is.
    public func root<Root: AnyObject>(as type: Root.Type) -> Root? { root as? Root }

    /// Runs code of the app: managers made in it are on this phone.
    public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = BluetoothEnvironment.$current.withValue(environment) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    // MARK: Life

    /// Its person opens the app: it is launched if it does not run, and comes to the screen.
    public func launch() { enterForeground() }

    /// The system launches the app in the background, for a reason that has nothing to do with Bluetooth.
    public func launchInBackground() {
        guard !state.isRunning else { return }
        phone.change { service, host, now, actions in
            service.enterBackground(id, host: host, at: now, into: &actions)
        }
        start(AppLaunch(reason: .system))
    }

    /// The app comes to the screen; it is launched if it does not run. Several may be there, as on an iPad.
    public func enterForeground() {
        let isRunning = state.isRunning
        phone.change { service, host, now, actions in
            service.enterForeground(id, host: host, at: now, into: &actions)
        }
        if !isRunning { start(AppLaunch(reason: .person)) }
    }

    /// The app leaves the screen. It is suspended a little later.
    public func enterBackground() {
        guard state == .foreground else { return }
        phone.change { service, host, now, actions in
            service.enterBackground(id, host: host, at: now, into: &actions)
        }
    }

    /// The app leaves the screen if it is there, and is suspended at once.
    public func suspend() {
        guard state.executes else { return }
        phone.change { service, host, now, actions in service.suspend(id, host: host, at: now, into: &actions) }
    }

    /// The system ends the app to have its memory, or the app crashes. What its managers want to be restored is kept.
    public func terminate() { end(byPerson: false) }

    /// Its person swipes the app away. Nothing is kept, and nothing launches the app but its person.
    public func forceQuit() { end(byPerson: true) }

    private func end(byPerson: Bool) {
        guard state.isRunning || byPerson else { return }
        phone.change { service, host, now, actions in
            service.terminate(id, byPerson: byPerson, host: host, at: now, into: &actions)
        }
        root = nil
    }

    func start(_ launch: AppLaunch) {
        launches.append(launch)
        environment = phone.environment(of: id, launch: launches.count)
        root = run { makeObjects(launch) }
    }

    // MARK: What it may do

    /// What the app's person lets it do with Bluetooth. Change it as in the settings, at any time.
    public var authorization: Authorization {
        get { phone.service.authorization(of: id) }
        set {
            phone.authorize(id, newValue)
            if !state.isRunning { root = nil }
        }
    }

    /// Whether the phone asks at the moment whether the app may use Bluetooth.
    public var isPrompting: Bool { phone.service.prompts.contains(id) }

    /// Answers what the phone asks. Does nothing if it does not ask.
    public func answerPrompt(_ isAllowed: Bool) {
        if isPrompting { authorization = isAllowed ? .allowedAlways : .denied }
    }

    /// Whether the app ranges iBeacons, for which it may stay awake in the background. Meanwhile it hears of services in
    /// the overflow area there, as long as the screen is lit.
    public var rangesBeacons: Bool {
        get { phone.service.rangesBeacons(id) }
        set {
            phone.change { service, host, now, actions in
                service.rangeBeacons(id, newValue, host: host, at: now, into: &actions)
            }
        }
    }

    /// What its person allows the app besides Bluetooth.
    public var permissions = AppSurroundings.Permissions.all
    /// What the app had its phone show, in order; the last one is to be seen.
    public internal(set) var notifications: [AppSurroundings.Notification] = []

    /// Why the app does not learn of services in the overflow area at the moment; nil if it would.
    public var overflowObstacle: OverflowObstacle? { phone.service.overflowObstacle(for: id) }

    /// What the app did that has no effect, or not the one that it wanted.
    public var misuse: [BluetoothService.Misuse] { phone.misuse.filter { $0.app == id } }

    /// What the phone has shown to its person for this app.
    public var alerts: [SystemAlert] { phone.alerts.filter { $0.app == id } }
}
