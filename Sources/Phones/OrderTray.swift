import PhoneService
import Synchronization

/// Where the apps of a phone leave what they want, on any thread, until the thread that owns the phone fetches it.
final class OrderTray: Sendable {
    enum Request {
        case open(SessionID, SessionDescription, AppID)
        case order(SessionOrder, SessionID)
        case close(SessionID)
    }

    typealias Listener = @Sendable ([SessionNews]) -> Void

    private struct State {
        var requests: [Request] = []
        var listeners: [SessionID: Listener] = [:]
        var sessionCount: UInt32 = 0
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func open(_ description: SessionDescription, of app: AppID, news: @escaping Listener) -> SessionID {
        let id = state.withLock { state in
            state.sessionCount += 1
            let id = SessionID(number: state.sessionCount)
            state.listeners[id] = news
            state.requests.append(.open(id, description, app))
            return id
        }
        wake()
        return id
    }

    func submit(_ order: SessionOrder, from session: SessionID) { put(.order(order, session)) }

    func close(_ session: SessionID) {
        state.withLock { _ = $0.listeners.removeValue(forKey: session) }
        put(.close(session))
    }

    func takeRequests() -> [Request] {
        state.withLock { state in
            guard !state.requests.isEmpty else { return [] }
            defer { state.requests = [] }
            return state.requests
        }
    }

    func hand(_ news: [SessionNews], to session: SessionID) {
        state.withLock { $0.listeners[session] }?(news)
    }

    private func put(_ request: Request) {
        state.withLock { $0.requests.append(request) }
        wake()
    }
}

/// A phone as one of its apps sees it.
struct AppPort: ServicePort {
    let tray: OrderTray
    let app: AppID

    var authorization: Authorization { .allowedAlways }

    func open(
        _ session: SessionDescription,
        news: @escaping @Sendable ([SessionNews]) -> Void
    ) -> SessionID { tray.open(session, of: app, news: news) }

    func submit(_ order: SessionOrder, from session: SessionID) { tray.submit(order, from: session) }

    func close(_ session: SessionID) { tray.close(session) }
}
