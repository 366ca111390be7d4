import BluethroatAppEnvironment
import BluethroatVirtualTime
import Synchronization

/// What a world's time looks like from other threads: it can be read, and things can be asked to be done at an instant.
final class Timeline: Sendable {
    private struct State {
        var orders: [(instant: Instant, action: @Sendable () -> Void)] = []
        var sleepers: [Instant] = []
    }

    private let nanoseconds = Atomic<Int64>(0)
    private let state = Mutex(State())

    /// The present of the world, as of the last step that was run.
    var now: Instant {
        get { Instant(nanoseconds: nanoseconds.load(ordering: .acquiring)) }
        set { nanoseconds.store(newValue.nanoseconds, ordering: .releasing) }
    }

    /// Has something done at an instant, or as soon as the world runs if that is past; on the world's thread.
    func order(at instant: Instant, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.orders.append((instant, action)) }
    }

    /// The same as a clock.
    var clock: AppClock {
        AppClock {
            Double(self.now.nanoseconds) / 1e9
        } calling: { seconds, action in
            let span = TimeSpan.nanoseconds(Int64(min(seconds * 1e9, 1e18).rounded()))
            self.order(at: self.now.after(span), action)
        }
    }

    /// Until when tasks sleep, the one first that wakes first.
    var sleepers: [Instant] { state.withLock { $0.sleepers }.sorted() }

    /// A task sleeps until an instant.
    func beginSleep(until deadline: Instant) { state.withLock { $0.sleepers.append(deadline) } }

    func endSleep(until deadline: Instant) {
        state.withLock { state in
            guard let index = state.sleepers.firstIndex(of: deadline) else { return }
            state.sleepers.swapAt(index, state.sleepers.count - 1)
            state.sleepers.removeLast()
        }
    }

    /// Passes each posted order to `file`.
    func fileOrders(_ file: (Instant, @escaping @Sendable () -> Void) -> Void) {
        let orders = state.withLock { state in
            guard !state.orders.isEmpty else { return state.orders }
            defer { state.orders = [] }
            return state.orders
        }
        for (instant, action) in orders { file(instant, action) }
    }
}
