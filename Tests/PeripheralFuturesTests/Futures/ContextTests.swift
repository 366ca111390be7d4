import BluethroatPeripheralFutures
import Dispatch
import Foundation
import Testing

@Suite("Contexts in real time")
struct ContextTests {
    @Test("A queue's callbacks run on it")
    func queue() async {
        let queue = DispatchQueue(label: "own")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Future(value: 1).onSuccess(context: QueueContext(queue: Queue(queue))) { _ in
                dispatchPrecondition(condition: .onQueue(queue))
                continuation.resume()
            }
        }
    }

    @Test("The default is the main queue")
    func main() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Future(value: 1).onSuccess { _ in
                dispatchPrecondition(condition: .onQueue(.main))
                continuation.resume()
            }
        }
    }

    @Test("Delays pass in real time")
    func delay() async {
        let start = DispatchTime.now().uptimeNanoseconds
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Queue("delay").delay(0.05) { continuation.resume() }
        }
        #expect(DispatchTime.now().uptimeNanoseconds - start >= 50_000_000)
    }

    @Test("A queue's value is waited for")
    func sync() {
        let queue = Queue("sync")
        var isDone = false
        queue.sync { isDone = true }
        #expect(isDone && queue.sync { 5 } == 5)
    }

    @Test("Callbacks run within each other to some depth, then on the global queue")
    func depth() async {
        #expect(MaxStackDepthContext().maxDepth == 20)
        let context = MaxStackDepthContext(maxDepth: 3)
        let thread = pthread_self()
        let depths: [Bool] = await withCheckedContinuation { continuation in
            nonisolated(unsafe) var isHere: [Bool] = []
            func go(_ depth: Int) {
                context.execute {
                    isHere.append(pthread_equal(thread, pthread_self()) != 0)
                    if depth == 4 { continuation.resume(returning: isHere) } else { go(depth + 1) }
                }
            }
            go(1)
        }
        #expect(depths == [true, true, true, false])
    }

    @Test("Somebody's own context is asked")
    func own() {
        struct Twice: ExecutionContext {
            func execute(_ task: @escaping () -> Void) {
                task()
                task()
            }
        }
        var count = 0
        Future(value: 1).onSuccess(context: Twice()) { _ in count += 1 }
        #expect(count == 2)
    }
}
