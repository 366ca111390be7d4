import Foundation

/// A stream as an asynchronous sequence that ends what it was begun for: `for try await tag in manager.async.startScanning()
/// { … }` scans until the loop is left.
///
/// What is to be done begins with the call that returns the sequence. It ends when nobody has the sequence or one of its
/// iterators any more: when the loop is left, by `break`, by an error, or because its task is cancelled, which ends the
/// loop. If others have begun the same with a function that returns a stream, it goes on; if several loops share it, until
/// the last one is left.
///
/// Each iterator receives what the stream has kept, and then each new event; `capacity` is how many wait while the loop is
/// busy. A failure is thrown. `events` has failures as elements, for loops that go on after them.
public struct AsyncSubscription<Element>: AsyncSequence {
    public typealias Failure = any Error

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var iterator: FutureStream<Element>.AsyncIterator
        fileprivate let lease: Lease

        /// The next value, or nil if the task is cancelled. A failure is thrown; the next call returns what came after
        /// it.
        public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            try await iterator.next(isolation: actor)
        }
    }

    private let stream: FutureStream<Element>
    private let lease: Lease

    /// - Parameter end: called once, when nobody has the sequence any more.
    init(_ stream: FutureStream<Element>, end: @escaping () -> Void = {}) {
        self.stream = stream
        lease = Lease(end)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: stream.makeAsyncIterator(), lease: lease)
    }

    /// The same with failures as elements: `for await event in subscription.events { … }`.
    public var events: FutureStreamEvents<Element> { FutureStreamEvents(stream: stream, lease: lease) }
}

extension AsyncSubscription: Sendable where Element: Sendable {}

/// Does something when there is no reference to it any more.
final class Lease: @unchecked Sendable {
    // Called once, when nobody else can.
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}

/// The loops over streams of one object, of which there is one of each kind until it is stopped.
///
/// A loop that begins and one that ends take turns: otherwise one could begin with the stream that another, on another
/// thread, is about to stop. The order of locks is `turn`, then those of the object and of CoreBluetooth's managers; nobody
/// who holds one of those begins or leaves a loop. The turn is recursive, since a stop may tell an observer, who begins a
/// loop.
///
/// `@unchecked Sendable`: `shares` is used in turns.
final class SharedLoops: @unchecked Sendable {
    private let turn = NSRecursiveLock()
    private var shares = LoopShares()

    /// A loop over a stream.
    ///
    /// - Parameters:
    ///   - begin: the stream, and whether it was begun for this loop.
    ///   - running: the stream that there is when the loop is over.
    ///   - stop: stops it.
    func loop<T>(
        _ begin: @autoclosure () -> (stream: FutureStream<T>, isNew: Bool),
        running: @escaping () -> FutureStream<T>?,
        stop: @escaping () -> Void
    ) -> AsyncSubscription<T> {
        turn.lock()
        defer { turn.unlock() }
        let begun = begin()
        let stream = begun.stream
        shares.enter(stream, isNew: begun.isNew)
        return AsyncSubscription(stream) { [self] in
            turn.lock()
            defer { turn.unlock() }
            guard shares.leave(stream), running() === stream else { return }
            stop()
        }
    }
}

/// Streams that loops have begun, each with how many loops have it.
private struct LoopShares {
    private var shares: [(stream: AnyObject, count: Int)] = []

    /// A loop has a stream.
    ///
    /// - Parameter isNew: whether the loop has begun it.
    mutating func enter(_ stream: AnyObject, isNew: Bool) {
        if let index = shares.firstIndex(where: { $0.stream === stream }) {
            shares[index].count += 1
        } else if isNew {
            shares.append((stream, 1))
        }
    }

    /// A loop is over. True if it was the last one of a stream that a loop had begun.
    mutating func leave(_ stream: AnyObject) -> Bool {
        guard let index = shares.firstIndex(where: { $0.stream === stream }) else { return false }
        shares[index].count -= 1
        guard shares[index].count == 0 else { return false }
        shares.remove(at: index)
        return true
    }
}
