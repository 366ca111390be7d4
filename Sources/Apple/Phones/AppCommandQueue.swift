import BluethroatPhoneService
import BluethroatVirtualTime
import Synchronization

/// Where the apps of a phone leave their commands, on any thread, until the thread that owns the phone carries them out.
final class AppCommandQueue: Sendable {
    struct Request {
        enum Work {
            case open(SessionID, SessionDescription)
            case command(SessionCommand, SessionID)
            case close(SessionID)
            /// The app wants to be called after a while.
            case call(TimeSpan, @Sendable () -> Void)
            /// It would have been called by now.
            case due(@Sendable () -> Void)
        }

        let sender: Sender
        let work: Work

        /// Whether the app wants to be called later: time passes for a suspended one, too.
        var isForClock: Bool { if case .call = work { true } else { false } }
    }

    /// One run of an app, from its launch to its end. What comes from one that has ended is too late.
    struct Sender {
        let app: AppID
        let launch: Int
    }

    typealias Listener = @Sendable ([SessionEvent]) -> Void

    private struct State {
        var requests: [Request] = []
        /// Few.
        var listeners: [(id: SessionID, listener: Listener)] = []
        var sessionCount: UInt32 = 0
        /// Those of apps that may not do everything.
        var authorizations: [AppID: Authorization] = [:]
        var extensionStorage: [AppID: any Sendable & AnyObject] = [:]
    }

    /// The phone's life. Written once, before any other thread can know this queue.
    nonisolated(unsafe) weak var life: PhoneLife?

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func open(_ description: SessionDescription, of sender: Sender, events: @escaping Listener) -> SessionID {
        let id = state.withLock { state in
            state.sessionCount += 1
            let id = SessionID(number: state.sessionCount)
            state.listeners.append((id, events))
            state.requests.append(Request(sender: sender, work: .open(id, description)))
            return id
        }
        wake()
        return id
    }

    func submit(_ command: SessionCommand, from session: SessionID, of sender: Sender) {
        put(.command(command, session), of: sender)
    }

    func close(_ session: SessionID, of sender: Sender) {
        state.withLock { $0.listeners.removeAll { $0.id == session } }
        put(.close(session), of: sender)
    }

    func call(after span: TimeSpan, of sender: Sender, _ action: @escaping @Sendable () -> Void) {
        put(.call(span, action), of: sender)
    }

    func authorization(of app: AppID) -> Authorization { state.withLock { $0.authorizations[app] ?? .allowedAlways } }

    func setAuthorization(_ authorization: Authorization, of app: AppID) {
        state.withLock { $0.authorizations[app] = authorization == .allowedAlways ? nil : authorization }
    }

    /// The object of a layer above that belongs to an app; made when first asked for, on any thread.
    func extensionStorage<Storage: Sendable & AnyObject>(of app: AppID, orMake make: () -> Storage) -> Storage {
        if let known = state.withLock({ $0.extensionStorage[app] }) as? Storage { return known }
        // Made outside of the lock, since it may look at the app. Of two that are made at once, the first stays.
        let new = make()
        return state.withLock { state in
            if let known = state.extensionStorage[app] as? Storage { return known }
            state.extensionStorage[app] = new
            return new
        }
    }

    func takeRequests() -> [Request] {
        state.withLock { state in
            guard !state.requests.isEmpty else { return [] }
            defer { state.requests = [] }
            return state.requests
        }
    }

    func deliver(_ events: [SessionEvent], to session: SessionID) {
        state.withLock { $0.listeners.first { $0.id == session }?.listener }?(events)
    }

    private func put(_ work: Request.Work, of sender: Sender) {
        state.withLock { state in
            // Who advertises something else says two things at once.
            if state.requests.isEmpty { state.requests.reserveCapacity(2) }
            state.requests.append(Request(sender: sender, work: work))
        }
        wake()
    }
}

/// A phone as one of its apps sees it.
struct AppPort: ServicePort {
    let commands: AppCommandQueue
    let sender: AppCommandQueue.Sender

    var authorization: Authorization { commands.authorization(of: sender.app) }

    func open(
        _ session: SessionDescription,
        events: @escaping @Sendable ([SessionEvent]) -> Void
    ) -> SessionID { commands.open(session, of: sender, events: events) }

    func submit(_ command: SessionCommand, from session: SessionID) {
        commands.submit(command, from: session, of: sender)
    }

    func close(_ session: SessionID) { commands.close(session, of: sender) }
}
