public import BluetoothValues
public import CoreBluetooth
public import Host
public import LinkLayer
public import PhoneService
public import RadioMedium
public import Simulation
import VirtualTime

/// A phone in a world: its Bluetooth service, and the apps that are installed on it.
///
/// The thread that owns the world owns the phone, too. What apps order is carried out when that thread next runs the
/// world, or at the same instant where an app is called back in virtual time.
public final class Phone {
    public let name: String
    /// The phone among the devices of its world.
    public let device: DeviceID
    /// What stands between the apps and the host; `misuse` is kept there.
    public let service: BluetoothService
    public private(set) var apps: [PhoneApp] = []

    private unowned let world: World
    private let tray: OrderTray
    private let delivery: CallbackDelivery

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
        self.init(named: name, in: world, settings: settings, delivery: .inline, wake: {}) { service in
            world.addDevice(named: name, host: host, bonds: bonds, at: position, application: service)
        }
    }

    /// - Parameters:
    ///   - wake: called on any thread when an app has ordered something; brings about `World.doErrands`.
    ///   - add: puts the service into the world as the application of a host.
    init(
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
        tray = OrderTray(wake: wake)
        var usual = PhoneSettings()
        usual.name = name
        service = BluetoothService(settings: settings ?? usual)
        device = add(service)
        service.newsArrived = { [weak self] in self?.deliverSoon() }
        // Thereby the world keeps the phone.
        world.addErrand { self.carryOutOrders() }
        if service.hasNews { deliverSoon() }
    }

    /// Installs an app. Its code runs with the environment of what is returned.
    public func addApp(named name: String = "app") -> PhoneApp {
        let id = AppID(number: UInt32(apps.count))
        let environment = BluetoothEnvironment(port: AppPort(tray: tray, app: id), delivery: delivery)
        let app = PhoneApp(id: id, name: name, environment: environment)
        apps.append(app)
        return app
    }

    /// Somebody switches Bluetooth on or off.
    public func switchPower(_ isOn: Bool) {
        world.perform(on: device) { host, now, actions in
            service.switchPower(isOn, host: host, at: now, into: &actions)
        }
    }

    private func carryOutOrders() {
        for request in tray.takeRequests() {
            world.perform(on: device) { host, now, actions in
                switch request {
                case .open(let id, let description, let app): service.open(id, description, of: app)
                case .order(let order, let id): service.perform(order, from: id, host: host, at: now, into: &actions)
                case .close(let id): service.close(id, host: host, at: now, into: &actions)
                }
            }
        }
    }

    /// Not from within the machines: what an app orders when it hears the news must find them done.
    private func deliverSoon() {
        world.schedule(at: world.now) { [weak self] _ in
            guard let self else { return }
            service.takeNews { id, news in tray.hand(news, to: id) }
        }
    }
}
