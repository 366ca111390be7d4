import Dispatch
import Foundation
import Synchronization

/// Says so when a test waits while its air stands still and no task of it is ready: that may go on for ever.
final class StandstillWatch: Sendable {
    private struct State {
        /// How long, in real time, a test may wait for what is not the air's.
        var patience = DispatchTimeInterval.seconds(10)
        var tell: (@Sendable () -> Void)?
        var isWatching = false
    }

    private let state = Mutex(State())

    /// A test is there.
    func begin(patience: DispatchTimeInterval = .seconds(10), tell: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.patience = patience
            state.tell = tell
        }
    }

    func end() { state.withLock { $0.tell = nil } }

    /// Nothing is ready; the thread that ends the next turn says so again.
    func notice(_ executor: AirExecutor) {
        let patience: DispatchTimeInterval? = state.withLock { state in
            guard state.tell != nil, !state.isWatching else { return nil }
            state.isWatching = true
            return state.patience
        }
        guard let patience else { return }
        let count = executor.addedCount
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak executor] in
            let tell = self.state.withLock { state in
                state.isWatching = false
                return state.tell
            }
            guard let executor, executor.isIdle else { return }
            if executor.addedCount == count { tell?() } else { self.notice(executor) }
        }
    }

    /// A line for the reader of a test run that hangs.
    static func text(_ test: String, seed: UInt64, _ timeline: Timeline) -> String {
        let sleepers = timeline.sleepers
        let who = sleepers.first.map { "Tasks that sleep: \(sleepers.count), the first until \($0.duration.text). " }
        return """
            \(test) waits, and its air stands still at \(timeline.now.duration.text) (seed \(seed)). \
            \(who ?? "")Time passes only in air.run: before the value of a task is awaited, run the air until it is \
            there, `try await air.run(until: …)`.
            """
    }
}
