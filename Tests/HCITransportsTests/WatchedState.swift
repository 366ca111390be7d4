import Synchronization
import Testing

/// A state that threads change and tests wait for, each wait with a limit.
final class WatchedState<State: Sendable>: Sendable {
    private struct Record {
        var state: State
        var begun = 0
        var waits: [(number: Int, isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<Bool, Never>)] =
            []
    }

    private let record: Mutex<Record>

    init(_ state: State) { record = Mutex(Record(state: state)) }

    var value: State { record.withLock { $0.state } }

    /// Changes the state, and ends the waits that were for this.
    @discardableResult
    func change<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        let (result, met) = record.withLock { record in
            let result = body(&record.state)
            let state = record.state
            let met = record.waits.filter { $0.isMet(state) }.map(\.continuation)
            record.waits.removeAll { $0.isMet(state) }
            return (result, met)
        }
        for continuation in met { continuation.resume(returning: true) }
        return result
    }

    /// Returns once the condition is met. Where it is not within `limit`, the test fails and is told what did not happen.
    ///
    /// - Returns: whether the condition is met.
    @discardableResult
    func wait(
        for what: String,
        within limit: Duration = .seconds(30),
        at location: SourceLocation = #_sourceLocation,
        until isMet: @escaping @Sendable (State) -> Bool
    ) async -> Bool {
        let number = record.withLock { record in
            record.begun += 1
            return record.begun
        }
        let end = Task {
            try await Task.sleep(for: limit)
            let late = record.withLock { record in
                defer { record.waits.removeAll { $0.number == number } }
                return record.waits.first { $0.number == number }?.continuation
            }
            late?.resume(returning: false)
        }
        defer { end.cancel() }
        let isInTime = await withCheckedContinuation { continuation in
            let isMetAlready = record.withLock { record in
                if isMet(record.state) { return true }
                record.waits.append((number, isMet, continuation))
                return false
            }
            if isMetAlready { continuation.resume(returning: true) }
        }
        if !isInTime { Issue.record("\(what) within \(limit): that has not happened", sourceLocation: location) }
        return isInTime
    }
}
