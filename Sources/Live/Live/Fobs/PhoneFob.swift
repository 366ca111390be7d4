import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatKeyFobPhone
import BluethroatLinkLayer
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import CoreBluetooth

/// A phone in a live world, with the app on it that plays a key fob.
///
/// The app is called back on the thread that owns the world, where fingers reach it too.
final class PhoneFob: LiveFob {
    private let options: PhoneFobOptions
    /// Which of several phones in a world it is; the first has the number 0.
    private let number: Int
    private(set) var isBluetoothOn = true
    private(set) var phone: Phone?
    private(set) var app: KeyFobSimulator?
    /// The keys that are held down at the panel, and how the phone is tilted there, in g.
    var held: KeyFobKeys = []
    var tilt = [0.0, 0.0, 0.0]
    private var hand = KeyFobHand()
    private var shown = PhoneFobState()
    private var notices: [FobNotice] = []
    private var waitsForSwitch: Bool

    static func make(options: PhoneFobOptions, number: Int) -> any LiveFob {
        PhoneFob(options: options, number: number)
    }

    init(options: PhoneFobOptions, number: Int = 0) {
        self.options = options
        self.number = number
        waitsForSwitch = options.advertisesAtStart
    }

    var address: DeviceAddress { PhoneFobOptions.address(number: number) }

    func enter(_ session: LiveSession, identity: PersistentIdentity, at position: Position) -> DeviceID {
        let world = session.workbench.world
        let phone = Phone(named: "iPhone", in: world, settings: settings, delivery: .inline, wake: {}) { service in
            session.addDevice(
                named: "phone",
                controller: ControllerConfiguration(publicAddress: address),
                host: HostConfiguration(seed: world.seed, device: UInt64(number)),
                identity: identity,
                at: position,
                application: ConnectionWatcher(service) { [unowned self] in notices.append($0) }
            )
        }
        self.phone = phone
        let app = phone.addApp(named: "KeyFobSim").run {
            KeyFobSimulator(
                limits: options.limits,
                source: options.source,
                random: SeededRandom(seed: world.seed, device: UInt64(number), purpose: "key fob app"),
                clock: .of(world)
            )
        }
        self.app = app
        app.changed = { [unowned self, unowned world] in changed(in: world) }
        world.runExternalWork()
        return phone.device
    }

    private var settings: PhoneSettings {
        var settings = PhoneSettings()
        settings.name = "iPhone"
        settings.allowsReservedServices = true
        settings.nameIsReadable = !options.limits.contains(.deviceName)
        settings.deliversWritesWithoutResponse = !options.limits.contains(.writeWithoutResponse)
        settings.advertisingInterval = options.advertisingInterval
        return settings
    }

    // MARK: Words

    func obey(_ word: KeyFobWord, in world: World) -> String? {
        guard let app, let phone else { return nil }
        defer { world.runExternalWork() }
        switch word {
        case .click, .hold, .release, .toggleAdvertising, .battery:
            if let cover = app.cover { return cover }
        default: break
        }
        switch word {
        case .click(let key): return move(in: world) { $0.click(key) }
        case .hold(let key): return move(in: world) { $0.hold(key) }
        case .release(let key): return move(in: world) { $0.release(key) }
        case .toggleAdvertising:
            waitsForSwitch = false
            if !app.switchAdvertising(!app.screen.advertiseSwitch.isOn) {
                return "the Advertise switch cannot be moved while Bluetooth is not on; say bluetooth on"
            }
        case .battery(let percent): app.slide(to: Double(percent))
        case .tilt(let counts): app.tilt(x: counts.ofPhone.x, y: counts.ofPhone.y, z: counts.ofPhone.z)
        case .tiltInG(let x, let y, let z): app.tilt(x: x, y: y, z: z)
        case .bluetooth(let isOn):
            isBluetoothOn = isOn
            phone.switchPower(isOn)
        case .background(true): app.enterBackground()
        case .background(false): app.enterForeground()
        case .about(true): app.showAbout()
        case .about(false): app.goBack()
        case .distance, .quit, .central: break
        }
        return nil
    }

    private func move(in world: World, _ order: (inout KeyFobHand) -> Bool) -> String? {
        defer { moveHand(in: world) }
        return order(&hand) ? nil : "the buttons are busy; wait until they have been touched"
    }

    private func moveHand(in world: World) {
        while let move = hand.next(at: world.now) {
            switch move {
            case .keyDown(let key): app?.touchDown(key == .left ? .left : .right)
            case .keyUp(let key): app?.touchUp(key == .left ? .left : .right)
            default: break
            }
        }
        guard let deadline = hand.deadline else { return }
        world.schedule(at: deadline) { [weak self] world in self?.moveHand(in: world) }
    }

    // MARK: What has changed

    func takeNotices() -> [FobNotice] {
        defer { notices = [] }
        return notices
    }

    private func changed(in world: World) {
        guard let app else { return }
        let now = PhoneFobState(app)
        for change in now.changes(since: shown) { notices.append(FobNotice(time: world.now, change: change)) }
        shown = now
        guard waitsForSwitch, app.screen.advertiseSwitch.isEnabled else { return }
        waitsForSwitch = false
        // When the app has done what it does first.
        world.schedule(at: world.now) { _ in app.switchAdvertising(true) }
    }
}

extension KeyFobSimulator {
    /// What is before the fob, so that no finger reaches it, and what to do about that.
    fileprivate var cover: String? {
        if isInBackground { return "another app is in front; say foreground first" }
        return screen.about == nil ? nil : "About is in front of the fob; say back first"
    }
}
