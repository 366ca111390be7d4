import BluethroatPeripheralFutures
import Dispatch
import Testing

@Suite("Long rows of futures")
struct LongChainTests {
    /// A stack has room for a few ten thousand calls.
    static let length = 100_000

    @Test("A million futures that follow from each other are completed without filling the stack")
    func chain() {
        let promise = Promise<Int>()
        var last = promise.future
        for _ in 0..<1_000_000 { last = last.map(context: ImmediateContext()) { $0 + 1 } }
        promise.success(0)
        #expect(last.result?.value == 1_000_000)
    }

    @Test("Futures in a long row, each of which waits for the next, are completed without filling the stack")
    func recursion() {
        func countDown(_ count: Int) -> Future<Int> {
            guard count > 0 else { return Future(value: 0) }
            return Future(value: count).flatMap(context: ImmediateContext()) { countDown($0 - 1) }
        }
        #expect(countDown(Self.length).result?.value == 0)
    }

    @Test("A long row that nobody completes is let go of without filling the stack")
    func abandoned() {
        weak var keptByTheLast: Canary?
        do {
            let promise = Promise<Int>()
            var last = promise.future
            for _ in 0..<Self.length { last = last.map(context: ImmediateContext()) { $0 + 1 } }
            let canary = Canary()
            keptByTheLast = canary
            last.onSuccess { [canary] _ in withExtendedLifetime(canary) {} }
            #expect(last.result == nil && keptByTheLast != nil)
        }
        #expect(keptByTheLast == nil)
    }

    @Test("A row is let go of by each of its links, also if something else listens there, and a row of streams")
    func abandonedWithListeners() {
        do {
            let promise = Promise<Int>()
            var last = promise.future
            for _ in 0..<Self.length {
                last.onSuccess(context: ImmediateContext()) { _ in }
                last = last.map(context: ImmediateContext()) { $0 + 1 }
            }
            let stream = StreamPromise<Int>(capacity: 2)
            var lastStream = stream.stream
            for _ in 0..<Self.length { lastStream = lastStream.map(context: ImmediateContext()) { $0 + 1 } }
            for event in 0..<3 { stream.success(event) }
            #expect(lastStream.values == [Self.length + 1, Self.length + 2] && last.result == nil)
        }
    }

    private typealias Step = @Sendable (Future<Int>) -> Future<Int>

    private static let steps: [Step] = [
        { $0.flatMap(context: ImmediateContext()) { Future(value: $0) } },
        { $0.recover(context: ImmediateContext()) { _ in 0 } },
        { $0.recoverWith(context: ImmediateContext()) { _ in Future(value: 0) } },
        { $0.andThen(context: ImmediateContext()) { _ in } },
        { $0.withFilter(context: ImmediateContext()) { _ in true } },
        { $0.mapError(context: ImmediateContext()) { $0 } },
        { Future(context: ImmediateContext(), dependent: $0) },
    ]

    @Test("Rows of every operator are completed, whether the first future is before they are made or after, or never")
    func operators() {
        for step in Self.steps {
            let early = Promise<Int>()
            early.success(3)
            let late = Promise<Int>()
            var (first, second, never) = (early.future, late.future, Future<Int>())
            for _ in 0..<Self.length {
                first = step(first)
                second = step(second)
                never = step(never)
            }
            late.success(3)
            #expect(first.result?.value == 3 && second.result?.value == 3 && never.result == nil)
        }
    }

    @Test("A long row is completed on a queue, one after the other")
    func onQueue() async throws {
        let context = QueueContext(queue: Queue("chain"))
        let promise = Promise<Int>()
        var last = promise.future
        for _ in 0..<Self.length { last = last.map(context: context) { $0 + 1 } }
        promise.success(0)
        #expect(try await last.value == Self.length)
    }
}

private final class Canary {}
