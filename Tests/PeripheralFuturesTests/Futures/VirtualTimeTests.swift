import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Contexts and time in an air")
struct VirtualTimeTests {
    @Test("A queue's callbacks run on the thread that runs the air, at the instant, after what runs now", .air)
    func inline() {
        let air = Air.current
        let promise = Promise<Int>()
        var log: [String] = []
        let thread = pthread_self()
        var threads: [pthread_t] = []
        promise.future.onSuccess { value in
            log.append("main \(value) at \(air.now)")
            threads.append(pthread_self())
        }
        promise.future.onSuccess(context: QueueContext.global) { _ in
            log.append("global")
            threads.append(pthread_self())
        }
        air.after(.seconds(2)) { _ in
            promise.success(7)
            log.append("completed")
        }
        air.run(for: .seconds(3))
        #expect(log == ["completed", "main 7 at 2.0 seconds", "global"])
        #expect(threads.allSatisfy { pthread_equal($0, thread) != 0 })
    }

    @Test("A queue of the app's own is entered", .air)
    func entered() {
        let queue = DispatchQueue(label: "own")
        var isCalled = false
        Future(value: 1).onSuccess(context: QueueContext(queue: Queue(queue))) { _ in
            dispatchPrecondition(condition: .onQueue(queue))
            isCalled = true
        }
        #expect(!isCalled)
        Air.current.run(for: .zero)
        #expect(isCalled)
    }

    @Test("A delay is one of the air's time", .air)
    func delay() {
        let air = Air.current
        var times: [Duration] = []
        Queue.main.delay(2.5) { times.append(air.now) }
        Queue("other").delay(1) {
            times.append(air.now)
            Queue.global.delay(0.25) { times.append(air.now) }
        }
        air.run(for: .seconds(10))
        #expect(times == [.seconds(1), .milliseconds(1_250), .milliseconds(2_500)])
    }

    @Test("A future that takes too long fails after so many seconds, and one that does not is itself", .air)
    func futureTimeout() {
        let air = Air.current
        let (slow, quick) = (Promise<Int>(), Promise<Int>())
        let (late, early) = (slow.future.timeout(2), quick.future.timeout(2))
        air.run(for: .milliseconds(1_990))
        quick.success(1)
        #expect(late.result == nil)
        air.run(for: .milliseconds(20))
        #expect(late.result?.error as? FutureTimeout == FutureTimeout(seconds: 2) && early.result?.value == 1)
        slow.success(2)
        air.run(for: .seconds(5))
        #expect(late.result?.error is FutureTimeout && slow.future.result?.value == 2)
        #expect(quick.future.timeout(.infinity).result == nil)
    }

    @Test("A stream that is silent for too long has a failure, once for each silence", .air)
    func streamTimeout() {
        let air = Air.current
        let promise = StreamPromise<Int>(capacity: 10)
        let watched = promise.stream.timeout(2)
        for value in 1...3 {
            air.run(for: .milliseconds(1_900))
            promise.success(value)
        }
        air.run(for: .milliseconds(1_900))
        #expect(watched.values == [1, 2, 3] && watched.errors.isEmpty)
        air.run(for: .seconds(10))
        #expect(watched.errors.map { $0 as? FutureTimeout } == [FutureTimeout(seconds: 2)])
        promise.success(4)
        air.run(for: .seconds(10))
        #expect(watched.values == [1, 2, 3, 4] && watched.errors.count == 2 && watched.capacity == 10)
    }

    @Test("What a suspended app waits for comes when it runs again, and never once it was ended", .air)
    func suspension() {
        let air = Air.current
        var times: [Duration] = []
        for delay in [1.0, 5, 20] { Queue.main.delay(delay) { times.append(air.now) } }
        air.run(for: .seconds(2))
        air.app.suspend()
        air.run(for: .seconds(8))
        #expect(times == [.seconds(1)])
        air.app.enterForeground()
        air.run(for: .seconds(1))
        #expect(times == [.seconds(1), .seconds(10)])
        air.app.terminate()
        air.run(for: .seconds(30))
        #expect(times == [.seconds(1), .seconds(10)])
    }

    @Test("Callbacks of another phone's app have that phone's surroundings")
    func phones() {
        withAir { air in
            let other = air.addPhone(named: "other").addApp()
            var isCalled = false
            other.run { Future(value: ()).onSuccess { isCalled = true } }
            other.suspend()
            air.run(for: .seconds(1))
            #expect(!isCalled)
            other.enterForeground()
            air.run(for: .seconds(1))
            #expect(isCalled)
        }
    }
}
