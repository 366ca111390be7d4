internal import Foundation

/// Requests of one kind that are asked one at a time, in their order.
struct RequestLine<Content> {
    struct Request {
        let content: Content
        let timeout: TimeInterval
        let promise = Promise<Void>()
    }

    private var waiting: [Request] = []
    private var asked: Request?
    /// Answers still to come to requests whose callers no longer wait.
    private var lateAnswers = 0
    /// The number of the request that was asked last.
    private(set) var number = 0

    /// How many have not been answered.
    var count: Int { waiting.count + (asked == nil ? 0 : 1) }

    mutating func add(_ request: Request) { waiting.append(request) }

    /// The next request, if it is its turn: it is to be asked now.
    mutating func next() -> Request? {
        guard asked == nil, !waiting.isEmpty else { return nil }
        asked = waiting.removeFirst()
        number += 1
        return asked
    }

    /// An answer has come. The promise of the request that was asked, unless it is for an earlier one.
    mutating func answered() -> Promise<Void>? {
        guard lateAnswers == 0 else {
            lateAnswers -= 1
            return nil
        }
        defer { asked = nil }
        return asked?.promise
    }

    /// A request has taken too long; its promise, if it is still the one that was asked.
    mutating func timedOut(_ number: Int) -> Promise<Void>? {
        guard number == self.number, let late = asked else { return nil }
        lateAnswers += 1
        asked = nil
        return late.promise
    }

    /// No request will be answered.
    mutating func takeAll() -> [Promise<Void>] {
        defer {
            asked = nil
            waiting = []
            lateAnswers = 0
        }
        return (asked.map { [$0] } ?? []).map(\.promise) + waiting.map(\.promise)
    }
}
