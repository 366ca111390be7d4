import BluethroatPeripheralFutures
import Dispatch
import Testing

@Suite("Streams of futures")
struct FutureStreamTests {
    let now = ImmediateContext()

    @Test("Who listens late is told what was, then what comes; a failure ends nothing")
    func replay() {
        let promise = StreamPromise<Int>()
        promise.success(1)
        promise.failure(Mistake())
        var log: [String] = []
        promise.stream.onComplete(context: now) { log.append($0.value.map { "\($0)" } ?? "failure") }
        #expect(log == ["1", "failure"])
        promise.complete(.success(2))
        #expect(log == ["1", "failure", "2"] && promise.stream.count == 3)
        var (values, errors) = ([Int](), 0)
        promise.stream.onSuccess(context: now) { values.append($0) }
        promise.stream.onFailure(context: now) { _ in errors += 1 }
        promise.success(3)
        #expect(values == [1, 2, 3] && errors == 1)
    }

    @Test("As many events are kept as there is room for, the latest; who listens hears all of them")
    func capacity() {
        let promise = StreamPromise<Int>(capacity: 3)
        var live: [Int] = []
        promise.stream.onSuccess(context: now) { live.append($0) }
        for number in 1...10 {
            promise.success(number)
            #expect(promise.stream.count <= 3)
        }
        #expect(live == Array(1...10))
        #expect(promise.stream.futures.map { $0.result?.value } == [8, 9, 10])
        var late: [Int] = []
        promise.stream.onSuccess(context: now) { late.append($0) }
        #expect(late == [8, 9, 10])
    }

    @Test("A stream without room keeps nothing, and tells everything")
    func noCapacity() {
        let promise = StreamPromise<Int>(capacity: 0)
        var live: [Int] = []
        promise.stream.onSuccess(context: now) { live.append($0) }
        promise.success(1)
        promise.success(2)
        #expect(live == [1, 2] && promise.stream.count == 0)
    }

    @Test("What a context has not come to yet waits beside the stream, which keeps no more for it")
    func slowListener() {
        let promise = StreamPromise<Int>(capacity: 10)
        let queue = DispatchQueue(label: "slow")
        queue.suspend()
        nonisolated(unsafe) var heard: [Int] = []
        promise.stream.onSuccess(context: QueueContext(queue: Queue(queue))) { heard.append($0) }
        for number in 0..<1_000 {
            promise.success(number)
            #expect(promise.stream.count <= 10)
        }
        queue.resume()
        queue.sync {}
        #expect(heard == Array(0..<1_000))
    }

    @Test("Events of several threads reach each listener in the order of the stream")
    func threads() {
        let promise = StreamPromise<Int>()
        nonisolated(unsafe) var heard: [Int] = []
        promise.stream.onSuccess(context: now) { heard.append($0) }
        DispatchQueue.concurrentPerform(iterations: 4) { part in
            for number in 0..<1_000 { promise.success(part * 1_000 + number) }
        }
        // Whoever told last has gone.
        promise.success(-1)
        let kept = promise.stream.futures.compactMap { $0.result?.value }
        #expect(kept == heard && heard.count == 4_001)
    }

    @Test("An event that a listener makes comes after the one that it hears")
    func eventsOfListeners() {
        let promise = StreamPromise<Int>()
        var log: [Int] = []
        promise.stream.onSuccess(context: now) { value in
            if value < 5 { promise.success(value + 1) }
            log.append(value)
        }
        promise.stream.onSuccess(context: now) { log.append(-$0) }
        promise.success(3)
        #expect(log == [3, -3, 4, -4, 5, -5])
    }

    @Test("Who has cancelled hears nothing more")
    func cancellation() {
        let token = CancelToken()
        let promise = StreamPromise<Int>()
        var (cancelled, other) = ([Int](), [Int]())
        promise.stream.onSuccess(context: now, cancelToken: token) { cancelled.append($0) }
        promise.stream.onSuccess(context: now) { other.append($0) }
        promise.success(1)
        #expect(promise.stream.cancel(token) && !promise.stream.cancel(token))
        promise.success(2)
        #expect(cancelled == [1] && other == [1, 2])
    }

    @Test("What follows from a stream has its capacity")
    func capacityOfFollowers() {
        let stream = FutureStream(value: 1, capacity: 4)
        let followers: [FutureStream<Int>] = [
            stream.map(context: now) { $0 },
            stream.flatMap(context: now) { FutureStream(value: $0) },
            stream.flatMap(context: now) { Future(value: $0) },
            stream.recover(context: now) { _ in 1 },
            stream.recoverWith(context: now) { _ in FutureStream(value: 1) },
            stream.recoverWith(context: now) { _ in Future(value: 1) },
            stream.withFilter(context: now) { _ in true },
            stream.andThen(context: now) { _ in },
            stream.mapError(context: now) { $0 },
        ]
        #expect(followers.allSatisfy { $0.capacity == 4 && $0.futures.first?.result?.value == 1 })
    }

    @Test("Values are mapped and filtered, errors recovered from, event by event")
    func combinators() {
        let promise = StreamPromise<Int>()
        func texts<T>(_ stream: FutureStream<T>) -> [String] {
            stream.futures.compactMap(\.result).map { event in
                event.value.map { "\($0)" } ?? (event.error as? Mistake).map { "mistake \($0.number)" } ?? "other"
            }
        }
        let mapped = promise.stream.map(context: now) { value -> Int in
            if value == 2 { throw Mistake(number: 2) }
            return value * 10
        }
        let filtered = promise.stream.withFilter(context: now) { $0 == 1 }
        let recovered = promise.stream.recover(context: now) { _ in 7 }
        let recoveredWith = promise.stream.recoverWith(context: now) { _ in FutureStream(value: 8) }
        let recoveredByFuture = promise.stream.recoverWith(context: now) { _ -> Future<Int> in throw Mistake(number: 9)
        }
        let remapped = promise.stream.mapError(context: now) { _ in Mistake(number: 6) }
        var done: [Int] = []
        promise.stream.forEach(context: now) { done.append($0) }
        promise.success(1)
        promise.success(2)
        promise.failure(Mistake(number: 5))
        #expect(texts(mapped) == ["10", "mistake 2", "mistake 5"])
        #expect(texts(filtered) == ["1", "other", "mistake 5"])
        #expect(texts(recovered) == ["1", "2", "7"])
        #expect(texts(recoveredWith) == ["1", "2", "8"])
        #expect(texts(recoveredByFuture) == ["1", "2", "mistake 9"])
        #expect(texts(remapped) == ["1", "2", "mistake 6"])
        #expect(done == [1, 2])
    }

    @Test("The events of all streams that values lead to are one stream")
    func merging() {
        let promise = StreamPromise<Int>()
        let inner = [StreamPromise<String>(), StreamPromise<String>()]
        let merged = promise.stream.flatMap(context: now) { inner[$0].stream }
        promise.success(0)
        promise.success(1)
        inner[1].success("b")
        inner[0].success("a")
        inner[1].success("c")
        #expect(merged.futures.map { $0.result?.value } == ["b", "a", "c"])
    }

    @Test("A stream has the events of another one, and of futures")
    func completeWith() {
        let source = StreamPromise<Int>()
        let promise = StreamPromise<Int>()
        promise.completeWith(context: now, stream: source.stream)
        promise.completeWith(context: now, future: Future(value: 5))
        let dependent = FutureStream(capacity: 1, context: now, dependent: promise.stream)
        source.success(6)
        promise.stream.completeWith(context: now, stream: Try<FutureStream<Int>>(Mistake()))
        promise.stream.completeWith(context: now, future: Try<Future<Int>>(Mistake()))
        #expect(promise.stream.futures.map { $0.result?.value } == [5, 6, nil, nil])
        #expect(dependent.count == 1)
    }

    @Test("A stream is made of a value, of an error, or by a closure")
    func making() {
        #expect(FutureStream(value: 1).futures.first?.result?.value == 1)
        #expect(FutureStream<Int>(error: Mistake()).futures.first?.result?.error as? Mistake == Mistake())
        let made = FutureStream<Int>(capacity: 2) { complete in (1...3).forEach { complete(.success($0)) } }
        #expect(made.futures.map { $0.result?.value } == [2, 3])
        #expect(FutureStream<Int>().count == 0)
    }
}
