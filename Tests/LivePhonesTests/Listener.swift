import Foundation
import Synchronization
import Testing

@testable import app_peer

/// Hears what apps tell, on whatever thread, and lets a test wait for it.
final class Listener: Sendable {
    struct Event: @unchecked Sendable {
        let name: String
        let details: [String: Any]
    }

    private struct State {
        var events: [Event] = []
        var waiters: [(Int, @Sendable ([Event]) -> Bool, CheckedContinuation<Bool, Never>)] = []
        var count = 0
    }

    private let state = Mutex(State())

    var story: Story {
        { [self] name, details in note(Event(name: name, details: details)) }
    }

    var events: [Event] { state.withLock(\.events) }

    func note(_ name: String) { note(Event(name: name, details: [:])) }

    private func note(_ event: Event) {
        let happy = state.withLock { state in
            state.events.append(event)
            let events = state.events
            let happy = state.waiters.filter { $0.1(events) }.map(\.2)
            state.waiters.removeAll { $0.1(events) }
            return happy
        }
        for waiter in happy { waiter.resume(returning: true) }
    }

    /// Waits until the condition holds; an issue if it does not in time.
    func wait(
        for what: String,
        times: Int = 1,
        within limit: Duration = .seconds(30),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await wait(what, within: limit, sourceLocation: sourceLocation) { events in
            events.count { $0.name == what } >= times
        }
    }

    func wait(
        _ what: String,
        within limit: Duration = .seconds(30),
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping @Sendable ([Event]) -> Bool
    ) async throws {
        let came = await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                guard !condition(state.events) else { return nil }
                state.count += 1
                state.waiters.append((state.count, condition, continuation))
                return state.count
            }
            guard let number else { return continuation.resume(returning: true) }
            Task {
                try? await Task.sleep(for: limit)
                self.giveUp(number)
            }
        }
        try #require(came, "not heard: \(what), but \(events.map(\.name))", sourceLocation: sourceLocation)
    }

    private func giveUp(_ number: Int) {
        let late = state.withLock { state in
            let late = state.waiters.first { $0.0 == number }?.2
            state.waiters.removeAll { $0.0 == number }
            return late
        }
        late?.resume(returning: false)
    }
}
