import Dispatch
import PeripheralFutures
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
