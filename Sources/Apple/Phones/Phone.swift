import BluethroatAppEnvironment
import BluethroatBluetoothValues
public import BluethroatHost
import BluethroatLinkLayer
public import BluethroatPhoneService
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime
package import CoreBluetooth

/// A phone in a world: its Bluetooth service, and the apps that are installed on it.
///
/// The thread that owns the world owns the phone, too. What apps want is carried out when that thread next runs the
/// world, or at the same instant where an app is called back in virtual time.
public final class Phone {
    public let name: String
    /// The phone among the devices of its world.
    public let device: DeviceID
    /// What stands between the apps and the host; `misuse` is kept there.
    public let service: BluetoothService
    // Each access to what every command needs is checked in debug builds only.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public private(set) var apps: [PhoneApp] = []
    /// Hears the commands of apps and their events, as they happen; for logs.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public var observer: ((PhoneHappening) -> Void)?
    /// Hears of each dialogue that the phone shows while it pairs, on the thread that runs the world. With nil its person agrees
    /// to every pairing at once, unless that replaces a bond and `PhoneSettings.replacesBonds` says no, and types
    /// `PhoneSettings.passkey`.
    public var onPairingDialogue: ((PairingDialogue) -> Void)? {
        didSet { changeDialogues() }
    }

    package unowned let world: World
    /// For as long as the phone is there.
    let life = PhoneLife()
    let commands: AppCommandQueue
    private let delivery: CallbackDelivery
    /// The commands of apps that do not run at the moment.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var held: [AppCommandQueue.Request] = []
    /// Has what is held carried out, since an app runs again.
    private let noteResumption: () -> Void
    /// What is scheduled when there are events: the same each time.
    private var deliverNow: (World) -> Void = { _ in }
    /// The apps that were on the screen when it was locked.
    private var hidden: [PhoneApp] = []

    /// A phone on the air of a world that the caller runs in virtual time: apps are called back at the instant, on the
    /// thread that runs the world.
    public convenience init(
        named name: String,
        in world: World,
        at position: Position = .origin,
        settings: PhoneSettings? = nil,
        host: HostConfiguration? = nil,
        bonds: any BondStore = MemoryBondStore()
    ) {
        let limits = PacketLimits(settings ?? PhoneSettings())
        self.init(named: name, in: world, settings: settings, delivery: .inline, wake: {}) { service in
            world.addDevice(
                named: name,
                controller: limits.controller(in: world),
                host: limits.host(host, in: world),
                bonds: bonds,
                at: position,
                application: service
            )
        }
    }

    /// - Parameters:
    ///   - wake: called on any thread when an app has left a command; brings about `World.runExternalWork`.
    ///   - add: puts the service into the world as the application of a host.
    package init(
        named name: String,
        in world: World,
        settings: PhoneSettings?,
        delivery: CallbackDelivery,
        wake: @escaping @Sendable () -> Void,
        add: (BluetoothService) -> DeviceID
    ) {
        self.name = name
        self.world = world
        self.delivery = delivery
        let pendingPhones = world.extensionStorage { PendingPhones(in: world) }
        let number = pendingPhones.nextNumber
        let note: @Sendable () -> Void = { [waiting = pendingPhones.waiting] in
            waiting.insert(number)
            wake()
        }
        noteResumption = note
        commands = AppCommandQueue(wake: note)
        var usual = PhoneSettings()
        usual.name = name
        service = BluetoothService(sharing: pendingPhones.share(settings ?? usual))
        device = add(service)
        // The world runs it, and keeps the phone.
        deliverNow = { [unowned self] _ in deliver() }
        life.phone = self
        commands.life = life
        service.eventsPending = { [life] in life.phone?.deliverSoon() }
        service.appsResumed = { [life] in life.phone?.noteResumption() }
        service.misuseNoted = { [life] in life.phone?.observer?(.misused($0)) }
        // Thereby the world keeps the phone.
        pendingPhones.add(self)
        if service.hasEvents { deliverSoon() }
    }

    deinit { life.phone = nil }

    // MARK: Apps

    /// Installs an app that is on the screen at once and whose code the caller runs, with the environment of what is
    /// returned.
    public func addApp(
        named name: String = "app",
        backgroundModes: BackgroundModes = [],
        authorization: Authorization = .allowedAlways
    ) -> PhoneApp {
        let app = install(named: name, backgroundModes: backgroundModes, authorization: authorization) { _ in nil }
        app.launch()
        return app
    }

    /// Installs an app that does not run yet. Whenever it is launched, by its person or by the phone, `launch` makes its
    /// objects; the phone keeps what it returns until the app is ended.
    public func install(
        named name: String,
        backgroundModes: BackgroundModes = [],
        authorization: Authorization = .allowedAlways,
        launch: @escaping (AppLaunch) -> AnyObject?
    ) -> PhoneApp {
        let id = AppID(number: UInt32(apps.count))
        service.install(id, modes: backgroundModes, authorization: authorization)
        commands.setAuthorization(authorization, of: id)
        let app = PhoneApp(id: id, name: name, phone: self, makeObjects: launch)
        apps.append(app)
        return app
    }

    /// What apps did that has no effect, or not the one that they wanted, in order.
    public var misuse: [BluetoothService.Misuse] { service.misuse }

    // MARK: What its person does

    /// The user switches Bluetooth on or off in the settings.
    public func switchPower(_ isOn: Bool) {
        change { service, host, now, actions in service.switchPower(isOn, host: host, at: now, into: &actions) }
    }

    /// Whether the screen is lit. Apps stay where they are when it changes; `lock` takes them off the screen, too.
    public var isScreenOn: Bool {
        get { service.isScreenOn }
        set {
            notificationLightEnd = nil
            switchScreen(newValue)
        }
    }

    /// What keeps notifications of apps from lighting the screen.
    public var notificationObstacles: NotificationObstacles = []
    /// How long a notification lights a dark screen.
    public var notificationLight = TimeSpan.seconds(10)
    /// When the screen goes dark again that was lit by a notification.
    var notificationLightEnd: Instant?

    func switchScreen(_ isOn: Bool) {
        change { service, host, now, actions in service.switchScreen(isOn, host: host, at: now, into: &actions) }
    }

    /// The screen goes dark, and the apps on it go to the background.
    public func lock() {
        isScreenOn = false
        let leaving = apps.filter { $0.state == .foreground }
        for app in leaving { app.enterBackground() }
        hidden += leaving
    }

    /// The screen is lit, and shows the apps again that it showed before, as far as they still run.
    public func unlock() {
        isScreenOn = true
        let returning = hidden.filter(\.state.isRunning)
        hidden = []
        for app in returning { app.enterForeground() }
    }

    /// What the phone has shown to its person for apps that could not do it themselves, in order.
    public var alerts: [SystemAlert] { service.alerts }

    /// The apps for which the phone asks at the moment whether they may use Bluetooth.
    public var prompts: [PhoneApp] {
        let asking = service.prompts
        return apps.filter { asking.contains($0.id) }
    }

    // MARK: For its apps

    func environment(of app: AppID, launch: Int) -> BluetoothEnvironment {
        let sender = AppCommandQueue.Sender(app: app, launch: launch)
        return BluetoothEnvironment(
            port: AppPort(commands: commands, sender: sender),
            delivery: delivery,
            clock: delivery == .inline ? clock(of: sender) : .real
        )
    }

    func authorize(_ app: AppID, _ authorization: Authorization) {
        commands.setAuthorization(authorization, of: app)
        change { service, host, now, actions in
            service.authorize(app, authorization, host: host, at: now, into: &actions)
        }
    }

    // MARK: To and fro

    /// Carries out the commands of apps. Those of a suspended app wait until it runs again.
    func performCommands() {
        var requests = commands.takeRequests()
        if !held.isEmpty {
            requests = held + requests
            held = []
        }
        // Looked at in its place: what is in a request is copied once.
        for index in requests.indices {
            let sender = requests[index].sender
            let app = apps[Int(sender.app.number)]
            // Nothing is left of an earlier run of an app; a suspended one would not have come to it yet.
            guard app.launches.count == sender.launch else { continue }
            guard requests[index].isForClock || app.state != .suspended else {
                held.append(requests[index])
                continue
            }
            switch requests[index].work {
            case .call(let span, let action): schedule(action, after: span, for: sender)
            case .due(let action): schedule(action, after: .zero, for: sender)
            case .open(let id, let description):
                perform { service, host, now, actions in
                    service.open(id, description, of: app.id, host: host, at: now, into: &actions)
                }
            case .command(let command, let id):
                perform { service, host, now, actions in
                    observer?(.command(command))
                    service.perform(command, from: id, host: host, at: now, into: &actions)
                }
            case .close(let id):
                perform { service, host, now, actions in service.close(id, host: host, at: now, into: &actions) }
            }
        }
    }

    /// An app comes to it when it runs again.
    func hold(_ request: AppCommandQueue.Request) { held.append(request) }

    /// Not from within the machines: what an app wants when it hears of an event must find them done.
    private func deliverSoon() { world.schedule(at: world.now, deliverNow) }

    private func deliver() {
        if service.hasAppsToWake {
            world.change(applicationOf: device) { service.wakeApps(at: $0) }
            for relaunch in service.takeRelaunches() {
                apps[Int(relaunch.app.number)].start(
                    AppLaunch(reason: .bluetooth, centrals: relaunch.centrals, peripherals: relaunch.peripherals)
                )
            }
        }
        service.deliverEvents { id, events in
            observer?(.events(events))
            commands.deliver(events, to: id)
        }
    }
}
