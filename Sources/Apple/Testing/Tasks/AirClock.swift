import BluethroatAppEnvironment
import BluethroatVirtualTime
import Synchronization

/// The time of an air as a clock, for code that sleeps, waits or measures: `Task.sleep(for: .seconds(5), clock:
/// clock)`.
///
/// It stands still until the air is run. An app under test takes `any Clock<Duration>` where it would use
/// `ContinuousClock()`. It is the air's `AppClock`, in the form that tasks sleep by.
public struct AirClock: Clock {
    /// A moment on the clock.
    public struct Instant: InstantProtocol {
        /// Time since the air came to be.
        public let sinceStart: Duration

        public func advanced(by duration: Duration) -> Self { Self(sinceStart: sinceStart + duration) }

        public func duration(to other: Self) -> Duration { other.sinceStart - sinceStart }

        public static func < (left: Self, right: Self) -> Bool { left.sinceStart < right.sinceStart }
    }

    let timeline: Timeline

    public var now: Instant { Instant(sinceStart: timeline.now.duration) }

    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Returns when the air has been run up to the deadline; a tolerance is not made use of.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        guard deadline > now else { return }
        let sleeper = Sleeper()
        let end = BluethroatVirtualTime.Instant.zero.advanced(by: deadline.sinceStart)
        timeline.beginSleep(until: end)
        defer { timeline.endSleep(until: end) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                wake(sleeper, at: deadline)
            }
        } onCancel: {
            sleeper.end(.failure(CancellationError()))
        }
    }

    private func wake(_ sleeper: Sleeper, at deadline: Instant) {
        let span = now.duration(to: deadline)
        // Seconds are exact to the nanosecond for a hundred days; of longer spans a rest is left.
        guard span > .zero else { return sleeper.end(.success(())) }
        timeline.clock.call(after: span / .seconds(1)) { wake(sleeper, at: deadline) }
    }
}

/// A task that sleeps, until it is woken or cancelled, whichever comes first.
private final class Sleeper: Sendable {
    private enum State {
        case awake
        case asleep(CheckedContinuation<Void, any Error>)
        case done(Result<Void, any Error>)
    }

    private let state = Mutex(State.awake)

    /// False if it was cancelled before, and will not sleep.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let outcome: Result<Void, any Error>? = state.withLock { state in
            if case .done(let result) = state { return result }
            state = .asleep(continuation)
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
        return outcome == nil
    }

    func end(_ result: Result<Void, any Error>) {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            defer { if case .done = state {} else { state = .done(result) } }
            if case .asleep(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }
}
