import FlyingSocks

/// An event queue as the body of an answer. When nobody writes it any more, because the listener is gone, it is closed.
struct EventStreamBody: AsyncBufferedSequence {
    typealias Element = UInt8

    private let owner: Owner

    init(_ queue: EventQueue) { owner = Owner(queue) }

    func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let owner: Owner

        mutating func next() async throws -> UInt8? { preconditionFailure("an event stream is read in pieces") }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { await owner.queue.next() }
    }

    final class Owner: Sendable {
        let queue: EventQueue

        init(_ queue: EventQueue) { self.queue = queue }

        deinit { queue.close() }
    }
}
