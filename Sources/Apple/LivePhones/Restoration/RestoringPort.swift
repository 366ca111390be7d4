import BluethroatPhoneService
import Synchronization

/// The way to a phone on which peripheral managers with a restore identifier find what an earlier process has left.
///
/// Where the system outlives an app, it keeps that itself. A process that is its own phone has it in a file: what its
/// managers want is written there with each order, and ordered again by the next process, before the app hears that
/// Bluetooth is on.
final class RestoringPort: ServicePort {
    private let port: any ServicePort
    private let file: RestorationFile
    private let managers = Mutex<[SessionID: RestoredManager]>([:])

    init(_ port: any ServicePort, file: RestorationFile) {
        self.port = port
        self.file = file
    }

    var authorization: Authorization { port.authorization }

    func open(
        _ session: SessionDescription,
        events: @escaping @Sendable ([SessionEvent]) -> Void
    ) -> SessionID {
        guard session.role == .peripheral, let identifier = session.restoreIdentifier,
            let left = file.take(identifier)
        else { return port.open(session, events: events) }
        let manager = RestoredManager(left, on: port, file: file)
        let id = manager.open(session, events: events)
        managers.withLock { $0[id] = manager }
        return id
    }

    func submit(_ command: SessionCommand, from session: SessionID) {
        if case .peripheral(let order) = command { managers.withLock { $0[session] }?.note(order) }
        port.submit(command, from: session)
    }

    func close(_ session: SessionID) {
        managers.withLock { $0.removeValue(forKey: session) }?.forget()
        port.close(session)
    }
}

/// One manager with a restore identifier: what it wants, and what is to be ordered for it again.
private final class RestoredManager: Sendable {
    private struct State {
        var wanted: KeptManager
        /// What the manager has still to be told.
        var untold: PeripheralRestoration?
        /// What has still to be ordered.
        var unordered: PeripheralRestoration?
        /// Answers to those orders, of which the manager hears nothing.
        var awaitedServices: [LocalServiceID] = []
        var awaitsAdvertising = false
        var wasOn = false
        var session: SessionID?
    }

    private let port: any ServicePort
    private let file: RestorationFile
    private let state: Mutex<State>

    init(_ left: KeptManager, on port: any ServicePort, file: RestorationFile) {
        self.port = port
        self.file = file
        // The file has been checked when it was read.
        let restoration = left.isEmpty ? nil : try? left.restoration()
        state = Mutex(State(wanted: left, untold: restoration, unordered: restoration))
    }

    func open(_ session: SessionDescription, events: @escaping @Sendable ([SessionEvent]) -> Void) -> SessionID {
        // The first events wait until the session has its name.
        state.withLock { state in
            let id = port.open(session) { [self] in
                let heard = hear($0)
                if !heard.isEmpty { events(heard) }
            }
            state.session = id
            return id
        }
    }

    /// What the manager hears of these events.
    private func hear(_ events: [SessionEvent]) -> [SessionEvent] {
        let (heard, orders, session) = state.withLock { state in
            var heard: [SessionEvent] = [], orders: [PeripheralCommand] = []
            for event in events {
                switch event {
                case .state(let radio):
                    // A controller that is still looked for comes before all.
                    if radio != .resetting, let untold = state.untold {
                        heard.append(.peripheral(.restored(untold)))
                        state.untold = nil
                    }
                    if radio == .poweredOn {
                        orders += takeOrders(&state)
                        state.wasOn = true
                    } else if radio == .resetting, state.wasOn {
                        // All is forgotten then, and apps begin anew.
                        change(&state) { $0 = KeptManager(identifier: $0.identifier) }
                    }
                    heard.append(event)
                case .peripheral(.serviceAdded(let id, let fault)):
                    if fault != nil { change(&state) { $0.services.removeAll { $0.number == id.number } } }
                    if let index = state.awaitedServices.firstIndex(of: id) {
                        state.awaitedServices.remove(at: index)
                    } else {
                        heard.append(event)
                    }
                // Of a second order, while the first one lasts: it is never what was ordered here.
                case .peripheral(.advertisingStarted(.local(.alreadyAdvertising))): heard.append(event)
                case .peripheral(.advertisingStarted(let fault)):
                    if fault != nil { change(&state) { $0.advertisement = nil } }
                    if !state.awaitsAdvertising { heard.append(event) }
                    state.awaitsAdvertising = false
                default: heard.append(event)
                }
            }
            return (heard, orders, state.session)
        }
        if let session { for order in orders { port.submit(.peripheral(order), from: session) } }
        return heard
    }

    private func takeOrders(_ state: inout State) -> [PeripheralCommand] {
        guard let unordered = state.unordered else { return [] }
        state.unordered = nil
        state.awaitedServices = unordered.services.map(\.id)
        state.awaitsAdvertising = unordered.advertisement != nil
        return unordered.services.map { .add($0) } + (unordered.advertisement.map { [.startAdvertising($0)] } ?? [])
    }

    /// Keeps what the manager orders, as far as it is restored.
    func note(_ order: PeripheralCommand) {
        state.withLock { state in
            switch order {
            case .add(let service): change(&state) { $0.services.append(KeptManager.Service(service)) }
            case .remove(let id): change(&state) { $0.services.removeAll { $0.number == id.number } }
            case .removeAllServices: change(&state) { $0.services = [] }
            case .startAdvertising(let request):
                // A second one is refused, and the first one stays on the air.
                guard state.wanted.advertisement == nil else { break }
                change(&state) { $0.advertisement = KeptManager.Advertisement(request) }
            case .stopAdvertising: change(&state) { $0.advertisement = nil }
            case .update, .answer, .setLatency, .publishChannel, .unpublishChannel: break
            }
        }
    }

    func forget() { file.forget(state.withLock(\.wanted.identifier)) }

    private func change(_ state: inout State, _ how: (inout KeptManager) -> Void) {
        let before = state.wanted
        how(&state.wanted)
        if state.wanted != before { file.keep(state.wanted) }
    }
}
