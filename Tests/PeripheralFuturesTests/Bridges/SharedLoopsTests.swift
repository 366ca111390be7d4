import Dispatch
import Foundation
import Synchronization
import Testing

@testable import BluethroatPeripheralFutures

@Suite("Loops that share a stream, on several threads")
struct SharedLoopsTests {
    /// Something that has one stream at a time, as a scan does.
    private final class Source: Sendable {
        private let state = Guarded<StreamPromise<Int>?>(nil)
        let loops = SharedLoops()
        let stops = Atomic(0)

        var running: FutureStream<Int>? { state.withLock { $0?.stream } }

        private func begin() -> (stream: FutureStream<Int>, isNew: Bool) {
            state.withLock { state in
                if let state { return (state.stream, false) }
                let promise = StreamPromise<Int>()
                state = promise
                return (promise.stream, true)
            }
        }

        /// `meanwhile` happens between the decision to stop and the stop.
        func loop(meanwhile: @escaping () -> Void = {}) -> AsyncSubscription<Int> {
            loops.loop(begin()) { [self] in
                running
            } stop: { [self] in
                meanwhile()
                state.withLock { $0 = nil }
                stops.add(1, ordering: .relaxed)
            }
        }
    }

    @Test("A loop that begins while the last one of a stream is being left has a stream that goes on")
    func beginningDuringStop() {
        for _ in 0..<50 {
            let source = Source()
            let isStopping = DispatchSemaphore(value: 0)
            let hasBegun = DispatchSemaphore(value: 0)
            let second = Mutex<AsyncSubscription<Int>?>(nil)
            Thread.detachNewThread {
                isStopping.wait()
                do {
                    let loop = source.loop()
                    second.withLock { $0 = loop }
                }
                // From here on this thread has no loop.
                hasBegun.signal()
            }
            var first: AsyncSubscription<Int>? = source.loop {
                isStopping.signal()
                // The other thread could begin now, if nothing kept it from that.
                for _ in 0..<200 where second.withLock({ $0 == nil }) { sched_yield() }
            }
            #expect(first != nil)
            first = nil
            hasBegun.wait()
            #expect(source.running != nil, "what the second loop listens to runs")
            #expect(source.stops.load(ordering: .relaxed) == 1)
            second.withLock { $0 = nil }
            #expect(source.running == nil)
        }
    }

    @Test("A stop may begin a loop itself")
    func beginningWithinStop() {
        let source = Source()
        let inner = Mutex<AsyncSubscription<Int>?>(nil)
        var first: AsyncSubscription<Int>? = source.loop {
            let loop = source.loop()
            inner.withLock { $0 = loop }
        }
        #expect(first != nil)
        first = nil
        #expect(inner.withLock { $0 != nil } && source.stops.load(ordering: .relaxed) == 1)
        inner.withLock { $0 = nil }
    }
}
