import BluethroatPhoneService
import Synchronization

/// A phone's service that does nothing but what a test tells it to.
final class ScriptedPort: ServicePort {
    private struct State {
        var authorization = Authorization.allowedAlways
        var sessions: [SessionDescription] = []
        var listeners: [@Sendable ([SessionEvent]) -> Void] = []
        var orders: [SessionCommand] = []
        var closed: [SessionID] = []
    }

    private let state = Mutex(State())

    var authorization: Authorization {
        get { state.withLock(\.authorization) }
        set { state.withLock { $0.authorization = newValue } }
    }

    var sessions: [SessionDescription] { state.withLock(\.sessions) }
    var closed: [SessionID] { state.withLock(\.closed) }

    /// The orders since this was asked last, misuse left out.
    func takeOrders() -> [SessionCommand] {
        state.withLock { state in
            defer { state.orders = [] }
            return state.orders.filter { if case .noteMisuse = $0 { false } else { true } }
        }
    }

    /// The misuse since orders were asked for last.
    var misuse: [String] {
        state.withLock(\.orders).compactMap { if case .noteMisuse(_, let sentence) = $0 { sentence } else { nil } }
    }

    func open(
        _ session: SessionDescription,
        events: @escaping @Sendable ([SessionEvent]) -> Void
    ) -> SessionID {
        state.withLock { state in
            state.sessions.append(session)
            state.listeners.append(events)
            return SessionID(number: UInt32(state.sessions.count - 1))
        }
    }

    func submit(_ order: SessionCommand, from session: SessionID) { state.withLock { $0.orders.append(order) } }

    func close(_ session: SessionID) { state.withLock { $0.closed.append(session) } }

    /// Tells a session something; the first one if nothing else is said.
    func tell(_ events: SessionEvent..., session: Int = 0) { state.withLock(\.listeners)[session](events) }
}
