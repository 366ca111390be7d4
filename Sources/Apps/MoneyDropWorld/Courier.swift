import Synchronization

/// Takes what comes from elsewhere to where apps live, once that is known.
final class Courier: Sendable {
    private struct State {
        var carry: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    func deliver(_ work: @escaping @Sendable () -> Void) {
        let carry = state.withLock { state in
            if state.carry == nil { state.waiting.append(work) }
            return state.carry
        }
        carry?(work)
    }

    func begin(_ carry: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        let waiting = state.withLock { state in
            state.carry = carry
            defer { state.waiting = [] }
            return state.waiting
        }
        for work in waiting { carry(work) }
    }
}
