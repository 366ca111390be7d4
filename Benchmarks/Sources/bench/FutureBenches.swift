import BluethroatPeripheralFutures
import Dispatch

/// What futures cost. Each figure is the best of three, as the first has to get its memory.
enum FutureBenches {
    static let length = 1_000_000

    static var all: [Bench] {
        [
            Bench("futureChain", "s", isBetterLow: true, target: .below(2)) { effort in
                try best(effort) { last(context: ImmediateContext(), $0) }
            },
            Bench("futureChainOnQueue", "s", isBetterLow: true, target: .below(2)) { effort in
                let context = QueueContext(queue: Queue("bench"))
                return try best(effort) { last(context: context, $0) }
            },
        ]
    }

    private static func last(context: any ExecutionContext, _ first: Future<Int>) -> Future<Int> {
        var last = first
        for _ in 0..<length { last = last.map(context: context) { $0 + 1 } }
        return last
    }

    /// How long a million futures, each of which follows from the one before, take from the completion of the first to
    /// that of the last.
    private static func best(_ effort: Effort, _ chain: (Future<Int>) -> Future<Int>) throws -> Double {
        var best = Double.infinity
        for _ in 0..<3 {
            let promise = Promise<Int>()
            let last = chain(promise.future)
            let done = DispatchSemaphore(value: 0)
            last.onComplete(context: ImmediateContext()) { _ in done.signal() }
            let begin = effort.clock.now
            promise.success(0)
            done.wait()
            best = min(best, effort.clock.now - begin)
            guard last.result?.value == length else { throw BenchError("the last future has another value") }
        }
        return best
    }
}
