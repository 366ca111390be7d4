import BluethroatPeripheralFutures
import BluethroatTesting
import Testing

@Suite("Futures and tasks", .air)
struct FutureAsyncTests {
    @Test("A task waits for a value, and throws a failure")
    func value() async throws {
        #expect(try await Future(value: 1).value == 1)
        await #expect(throws: Mistake.self) { try await Future<Int>(error: Mistake()).value }
        let promise = Promise<Int>()
        async let later = promise.future.value
        Air.current.after(.seconds(1)) { _ in promise.success(2) }
        await Air.current.run(for: .seconds(2))
        #expect(try await later == 2)
    }

    @Test("Several tasks wait for one future")
    func several() async throws {
        let promise = Promise<Int>()
        async let first = promise.future.value
        async let second = promise.future.value
        await Air.current.settle()
        promise.success(3)
        #expect(try await [first, second] == [3, 3])
    }

    @Test("A task that is cancelled waits no longer, while others do")
    func cancelledWait() async throws {
        let promise = Promise<Int>()
        let task = Task { try await promise.future.value }
        async let other = promise.future.value
        await Air.current.settle()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!promise.completed)
        promise.success(4)
        #expect(try await other == 4)
    }

    @Test("A task that is cancelled already does not wait")
    func cancelledBefore() async {
        let promise = Promise<Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await promise.future.value
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A future is what an asynchronous closure returns or throws")
    func closure() async throws {
        let clock = Air.current.clock
        let future = Future {
            try await clock.sleep(for: .seconds(3))
            return "done"
        }
        var isDone = false
        future.onSuccess { _ in isDone = true }
        await Air.current.run(for: .seconds(2))
        #expect(!future.completed)
        await Air.current.run(for: .seconds(2))
        #expect(future.result?.value == "done" && isDone)
        let failing = Future { () async throws -> Int in throw Mistake(number: 1) }
        await #expect(throws: Mistake(number: 1)) { try await failing.value }
    }

    @Test("Cancelling such a future cancels its task")
    func cancelledFuture() async throws {
        let clock = Air.current.clock
        let future = Future { try await clock.sleep(for: .seconds(3)) }
        await Air.current.settle()
        #expect(future.cancel() && !future.cancel())
        await #expect(throws: CancellationError.self) { try await future.value }
        #expect(!Future(value: 1).cancel() && !Promise<Int>().future.cancel())
        let finished = Future { 5 }
        _ = try await finished.value
        #expect(!finished.cancel())
    }

    @Test("On an actor the closure is the actor's")
    @MainActor
    func isolation() async throws {
        let box = MainBox()
        let future = Future { @MainActor in
            box.number += 1
            return box.number
        }
        #expect(try await future.value == 1)
    }
}

@MainActor
private final class MainBox {
    var number = 0
}
