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
        case open(SessionID, SessionDescription)
        case order(SessionOrder, SessionID)
        case close(SessionID)
    }

    let service = BluetoothService()
    private let world: World
    private let device: DeviceID
    private let thread = Thread.current
    private let inbox = Mutex<[Request]>([])
    private let clients = Mutex<[SessionID: @Sendable ([SessionNews]) -> Void]>([:])
    private let count = Atomic<UInt32>(0)

    init(in world: World, named name: String) {
        self.world = world
        device = world.addDevice(named: name, application: service)
        service.newsArrived = { [unowned self] in deliverSoon() }
    }

    var authorization: Authorization { .allowedAlways }

    func open(
        _ session: SessionDescription,
        news: @escaping @Sendable ([SessionNews]) -> Void
    ) -> SessionID {
        let id = SessionID(number: count.wrappingAdd(1, ordering: .relaxed).newValue)
        clients.withLock { $0[id] = news }
        put(.open(id, session))
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
                    case .open(let id, let description): service.open(id, description)
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
