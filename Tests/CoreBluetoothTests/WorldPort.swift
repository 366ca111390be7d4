import Foundation
import Host
import PhoneService
import Simulation
import Synchronization
import VirtualTime

/// An app on a phone in a world that a test runs on its own thread.
///
/// Orders and news become events of the world at the present instant, so that no machine is ever entered twice.
///
/// `@unchecked Sendable`: the world and the service are touched on the thread that made them only; what other threads
/// order waits in `inbox`, which has a lock.
final class WorldPort: ServicePort, @unchecked Sendable {
    private enum Request {
        case open(SessionID, SessionDescription, AppID)
        case order(SessionOrder, SessionID)
        case close(SessionID)
    }

    let service: BluetoothService
    let device: DeviceID
    private let world: World
    private let thread = Thread.current
    private let inbox = Mutex<[Request]>([])
    private let clients = Mutex<[SessionID: @Sendable ([SessionNews]) -> Void]>([:])
    private let count = Atomic<UInt32>(0)

    init(in world: World, named name: String, settings: PhoneSettings = PhoneSettings()) {
        self.world = world
        service = BluetoothService(settings: settings)
        device = world.addDevice(named: name, application: service)
        service.newsArrived = { [unowned self] in deliverSoon() }
    }

    var authorization: Authorization { .allowedAlways }

    func open(
        _ session: SessionDescription,
        news: @escaping @Sendable ([SessionNews]) -> Void
    ) -> SessionID { open(session, of: AppID(number: 0), news: news) }

    func open(
        _ session: SessionDescription,
        of app: AppID,
        news: @escaping @Sendable ([SessionNews]) -> Void
    ) -> SessionID {
        let id = SessionID(number: count.wrappingAdd(1, ordering: .relaxed).newValue)
        clients.withLock { $0[id] = news }
        put(.open(id, session, app))
        return id
    }

    func submit(_ order: SessionOrder, from session: SessionID) { put(.order(order, session)) }

    func close(_ session: SessionID) {
        clients.withLock { $0[session] = nil }
        put(.close(session))
    }

    /// Runs the world; what other threads have ordered meanwhile is carried out first.
    func run(for span: TimeSpan) {
        collectSoon()
        world.run(for: span)
    }

    private func put(_ request: Request) {
        inbox.withLock { $0.append(request) }
        if Thread.current === thread { collectSoon() }
    }

    private func collectSoon() {
        world.schedule(at: world.now) { [self] world in
            let requests = inbox.withLock { inbox in
                defer { inbox = [] }
                return inbox
            }
            for request in requests {
                world.perform(on: device) { host, now, actions in
                    switch request {
                    case .open(let id, let description, let app): service.open(id, description, of: app)
                    case .order(let order, let id):
                        service.perform(order, from: id, host: host, at: now, into: &actions)
                    case .close(let id): service.close(id, host: host, at: now, into: &actions)
                    }
                }
            }
        }
    }

    private func deliverSoon() {
        world.schedule(at: world.now) { [self] _ in
            service.takeNews { id, news in clients.withLock { $0[id] }?(news) }
        }
    }

    func switchPower(_ isOn: Bool) {
        world.perform(on: device) { host, now, actions in
            service.switchPower(isOn, host: host, at: now, into: &actions)
        }
    }
}

/// The same phone as another of its apps sees it.
final class AppPort: ServicePort {
    private let phone: WorldPort
    private let app: AppID

    init(_ phone: WorldPort, _ number: UInt32) {
        self.phone = phone
        app = AppID(number: number)
    }

    var authorization: Authorization { phone.authorization }

    func open(
        _ session: SessionDescription,
        news: @escaping @Sendable ([SessionNews]) -> Void
    ) -> SessionID { phone.open(session, of: app, news: news) }

    func submit(_ order: SessionOrder, from session: SessionID) { phone.submit(order, from: session) }

    func close(_ session: SessionID) { phone.close(session) }
}
