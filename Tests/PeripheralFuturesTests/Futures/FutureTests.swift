import BluethroatPeripheralFutures
import Dispatch
import Testing

@Suite("Futures")
struct FutureTests {
    let now = ImmediateContext()

    @Test("A future is completed once, and has its result from then on")
    func completion() {
        let promise = Promise<Int>()
        #expect(!promise.completed && promise.future.result == nil)
        promise.success(1)
        promise.success(2)
        promise.failure(Mistake())
        promise.complete(.success(3))
        #expect(promise.completed && promise.future.completed && promise.future.result?.value == 1)
        #expect(Future(value: 4).result?.value == 4)
        #expect(Future<Int>(error: Mistake()).result?.error as? Mistake == Mistake())
    }

    @Test("Callbacks run once each, in the order of their registration, before or after the completion")
    func callbacks() {
        let promise = Promise<Int>()
        var log: [String] = []
        promise.future.onComplete(context: now) { log.append("complete \($0.value ?? 0)") }
        promise.future.onSuccess(context: now) { log.append("success \($0)") }
        promise.future.onFailure(context: now) { _ in log.append("failure") }
        #expect(log.isEmpty)
        promise.success(1)
        promise.success(2)
        promise.future.onSuccess(context: now) { log.append("later \($0)") }
        #expect(log == ["complete 1", "success 1", "later 1"])
    }

    @Test("Failures reach those who wait for failures")
    func failures() {
        var errors: [Mistake] = []
        let future = Future<Int>(error: Mistake(number: 1))
        future.onFailure(context: now) { errors += [$0 as? Mistake].compactMap { $0 } }
        future.onSuccess(context: now) { _ in Issue.record("there is no value") }
        #expect(errors == [Mistake(number: 1)])
    }

    @Test("A callback that runs at once does so within others, too")
    func nested() {
        var log: [String] = []
        let promise = Promise<Int>()
        let other = Promise<Int>()
        other.future.onSuccess(context: now) { _ in log.append("inner") }
        promise.future.onSuccess(context: now) { _ in
            other.success(1)
            Future(value: 2).onSuccess(context: ImmediateContext()) { _ in log.append("completed already") }
            log.append("outer")
        }
        promise.success(1)
        #expect(log == ["inner", "completed already", "outer"])
    }

    @Test("Callbacks are taken back by their token, as long as they have not run")
    func cancellation() {
        let (token, other) = (CancelToken(), CancelToken())
        let promise = Promise<Int>()
        var log: [String] = []
        promise.future.onSuccess(context: now, cancelToken: token) { _ in log.append("cancelled") }
        promise.future.onSuccess(context: now, cancelToken: other) { _ in log.append("other") }
        promise.future.onSuccess(context: now, cancelToken: token) { _ in log.append("cancelled, too") }
        promise.future.onSuccess(context: now) { _ in log.append("without") }
        let mapped = promise.future.map(context: now, cancelToken: token) { $0 }
        #expect(promise.future.cancel(token) && !promise.future.cancel(token))
        #expect(!promise.future.cancel(CancelToken()))
        promise.success(1)
        #expect(log == ["other", "without"] && !mapped.completed)
        #expect(!promise.future.cancel(other))
    }

    @Test("What waits in its queue can still be taken back")
    func cancellationInQueue() {
        let queue = DispatchQueue(label: "waits")
        queue.suspend()
        let token = CancelToken()
        let future = Future(value: 1)
        future.onSuccess(context: QueueContext(queue: Queue(queue)), cancelToken: token) { _ in
            Issue.record("it was cancelled")
        }
        #expect(future.cancel(token))
        queue.resume()
        queue.sync {}
    }

    @Test("Values are mapped and filtered, errors pass; what is thrown is an error")
    func mapping() {
        let (good, bad) = (Future(value: 1), Future<Int>(error: Mistake()))
        #expect(good.map(context: now) { $0 + 1 }.result?.value == 2)
        #expect(bad.map(context: now) { $0 + 1 }.result?.error as? Mistake == Mistake())
        let thrown = good.map(context: now) { _ -> Int in throw Mistake(number: 1) }
        #expect(thrown.result?.error as? Mistake == Mistake(number: 1))
        #expect(good.flatMap(context: now) { Future(value: "\($0)") }.result?.value == "1")
        let flatThrown = good.flatMap(context: now) { _ -> Future<Int> in throw Mistake(number: 2) }
        #expect(flatThrown.result?.error as? Mistake == Mistake(number: 2))
        #expect(good.withFilter(context: now) { $0 == 1 }.result?.value == 1)
        #expect(good.withFilter(context: now) { $0 == 2 }.result?.error as? FuturesError == .noSuchElement)
        #expect(bad.mapError(context: now) { _ in Mistake(number: 3) }.result?.error as? Mistake == Mistake(number: 3))
    }

    @Test("A future to which another leads is waited for")
    func waiting() {
        let inner = Promise<Int>()
        let outer = Future(value: 1).flatMap(context: now) { _ in inner.future }
        #expect(!outer.completed)
        inner.success(5)
        #expect(outer.result?.value == 5)
    }

    @Test("Errors are recovered from")
    func recovering() {
        let (good, bad) = (Future(value: 1), Future<Int>(error: Mistake()))
        #expect(bad.recover(context: now) { _ in 7 }.result?.value == 7)
        #expect(good.recover(context: now) { _ in 7 }.result?.value == 1)
        let thrown = bad.recover(context: now) { _ in throw Mistake(number: 4) }
        #expect(thrown.result?.error as? Mistake == Mistake(number: 4))
        #expect(bad.recoverWith(context: now) { _ in Future(value: 8) }.result?.value == 8)
        #expect(good.recoverWith(context: now) { _ in Future(value: 8) }.result?.value == 1)
        let flatThrown = bad.recoverWith(context: now) { _ -> Future<Int> in throw Mistake(number: 5) }
        #expect(flatThrown.result?.error as? Mistake == Mistake(number: 5))
    }

    @Test("Something is done with a value, before what follows has it")
    func doing() {
        var log: [String] = []
        let promise = Promise<Int>()
        promise.future.forEach(context: now) { log.append("each \($0)") }
        promise.future.andThen(context: now) { log.append("then \($0)") }
            .onSuccess(context: now) { log.append("after \($0)") }
        promise.success(1)
        #expect(log == ["each 1", "then 1", "after 1"])
        let failed = Future<Int>(error: Mistake()).andThen(context: now) { _ in log.append("no") }
        #expect(failed.result?.isFailure() == true && log.count == 3)
    }

    @Test("A future is completed as another, as a try of another, or with the first event of a stream")
    func completeWith() {
        let first = Promise<Int>()
        let second = Promise<Int>()
        second.completeWith(context: now, future: first.future)
        let dependent = Future(context: now, dependent: second.future)
        first.success(1)
        #expect(dependent.result?.value == 1)
        let failed = Future<Int>()
        failed.completeWith(context: now, future: Try<Future<Int>>(Mistake()))
        #expect(failed.result?.error as? Mistake == Mistake())
        let stream = StreamPromise<Int>()
        let ofStream = Future<Int>()
        ofStream.completeWith(context: now, stream: stream.stream)
        stream.success(3)
        stream.success(4)
        #expect(ofStream.result?.value == 3)
    }

    @Test("A future leads to a stream, for its value or for its error")
    func streams() {
        let stream = Future(value: 1).flatMap(capacity: 5, context: now) { FutureStream(value: "\($0)") }
        #expect(stream.futures.first?.result?.value == "1" && stream.capacity == 5)
        let recovered = Future<Int>(error: Mistake()).recoverWith(context: now) { _ in FutureStream(value: 9) }
        #expect(recovered.futures.first?.result?.value == 9)
        let kept = Future(value: 1).recoverWith(context: now) { _ in FutureStream(value: 9) }
        #expect(kept.futures.map { $0.result?.value } == [1])
    }

    @Test("Functions that call back become futures")
    func functions() {
        #expect(future(5).result?.value == 5)
        #expect(future(context: now) { 6 }.result?.value == 6)
        #expect(future(context: now) { () -> Int in throw Mistake() }.result?.error as? Mistake == Mistake())
        func either(_ completion: @escaping (Int?, (any Error)?) -> Void) { completion(1, nil) }
        func failing(_ completion: @escaping (Int?, (any Error)?) -> Void) { completion(nil, Mistake()) }
        func neither(_ completion: @escaping (Int?, (any Error)?) -> Void) { completion(nil, nil) }
        func error(_ completion: @escaping ((any Error)?) -> Void) { completion(nil) }
        func value(_ completion: @escaping (Int) -> Void) { completion(2) }
        #expect(future(method: either).result?.value == 1)
        #expect(future(method: failing).result?.error as? Mistake == Mistake())
        #expect(future(method: neither).result?.error as? FuturesError == .invalidValue)
        #expect(future(method: error).result?.isSuccess() == true)
        #expect(future(method: value).result?.value == 2)
        let resolved = Future<Int> { complete in complete(.success(3)) }
        #expect(resolved.result?.value == 3)
    }

    @Test("Functions that call back again and again become streams")
    func streamFunctions() {
        func twice(_ completion: @escaping (Int?, (any Error)?) -> Void) {
            completion(1, nil)
            completion(nil, Mistake())
        }
        func errors(_ completion: @escaping ((any Error)?) -> Void) { completion(nil) }
        func values(_ completion: @escaping (Int) -> Void) { (1...3).forEach(completion) }
        #expect(futureStream(method: twice).futures.map { $0.result?.value } == [1, nil])
        #expect(futureStream(method: errors).count == 1)
        #expect(futureStream(capacity: 2, method: values).futures.map { $0.result?.value } == [2, 3])
    }

    @Test("A future has a substitute, a value or another future")
    func substitutes() async throws {
        #expect(try await (Future<Int>(error: Mistake()) ?? 5).value == 5)
        #expect(try await (Future<Int>(error: Mistake()) ?? Future(value: 6)).value == 6)
        #expect(try await (Future(value: 1) ?? 5).value == 1)
    }

    @Test("Futures are folded, gathered and made of a sequence in its order; the first failure in that order fails")
    func sequences() {
        let promises = (0..<3).map { _ in Promise<Int>() }
        let folded = promises.map(\.future).fold(context: now, initial: "") { $0 + "\($1)" }
        let gathered = promises.map(\.future).sequence(context: now)
        let traversed = [0, 1, 2].traverse(context: now) {
            promises[$0].future.map(context: ImmediateContext()) { -$0 }
        }
        for number in [2, 0, 1] { promises[number].success(number) }
        #expect(folded.result?.value == "012" && gathered.result?.value == [0, 1, 2])
        #expect(traversed.result?.value == [0, -1, -2])
        let failures = [Future(value: 1), Future(error: Mistake(number: 1)), Future(error: Mistake(number: 2))]
        #expect(failures.sequence(context: now).result?.error as? Mistake == Mistake(number: 1))
        #expect([Future<Int>]().sequence(context: now).result?.value == [])
    }

    @Test("A hundred thousand futures are gathered")
    func manyGathered() {
        let gathered = (0..<100_000).map { Future(value: $0) }.sequence(context: now)
        #expect(gathered.result?.value?.count == 100_000)
    }
}
