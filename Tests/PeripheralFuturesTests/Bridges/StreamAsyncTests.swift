import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Streams and tasks", .air)
struct StreamAsyncTests {
    @Test("A loop is told what was, then what comes, and throws the first failure")
    func loop() async throws {
        let promise = StreamPromise<Int>()
        promise.success(1)
        let task = Task {
            var values: [Int] = []
            do { for try await value in promise.stream { values.append(value) } } catch { return (values, "\(error)") }
            return (values, "end")
        }
        await Air.current.settle()
        promise.success(2)
        await Air.current.settle()
        promise.failure(Mistake(number: 1))
        promise.success(3)
        let (values, end) = await task.value
        #expect(values == [1, 2] && end == "\(Mistake(number: 1))")
    }

    @Test("An iterator goes on after a failure, and a loop over events never throws")
    func failures() async throws {
        let promise = StreamPromise<Int>()
        promise.success(1)
        promise.failure(Mistake())
        promise.success(2)
        var iterator = promise.stream.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: Mistake.self) { try await iterator.next() }
        #expect(try await iterator.next() == 2)
        var texts: [String] = []
        for await event in promise.stream.events {
            texts.append(event.value.map { "\($0)" } ?? "failure")
            if texts.count == 3 { break }
        }
        #expect(texts == ["1", "failure", "2"])
    }

    @Test("Operators of asynchronous sequences are there, too")
    func operators() async throws {
        let promise = StreamPromise<Int>()
        for number in 1...5 { promise.success(number) }
        var found: [Int] = []
        for try await number in promise.stream.filter({ $0 % 2 == 1 }).prefix(2) { found.append(number) }
        #expect(found == [1, 3])
        #expect(try await promise.stream.first { $0 > 3 } == 4)
    }

    @Test("Cancelling the task ends the loop")
    func cancellation() async throws {
        let promise = StreamPromise<Int>()
        promise.success(1)
        let task = Task {
            var count = 0
            for try await _ in promise.stream { count += 1 }
            return count
        }
        await Air.current.settle()
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test("Where a loop is left nothing listens any more")
    func detaching() async throws {
        final class Canary: Sendable {}
        let promise = StreamPromise<Canary>(capacity: 0)
        weak var heard: Canary?
        do {
            let task = Task {
                for try await _ in promise.stream { break }
            }
            await Air.current.settle()
            promise.success(Canary())
            try await task.value
        }
        do {
            let canary = Canary()
            heard = canary
            promise.success(canary)
        }
        // A mailbox would have kept it.
        #expect(heard == nil)
    }

    @Test("A producer a hundred times faster than its loop does not make a stream keep more than its capacity")
    func fastProducer() async throws {
        let air = Air.current
        let clock = air.clock
        let promise = StreamPromise<Tracked>(capacity: 10)
        let census = Census()
        func produce(_ number: Int) {
            guard number < 5_000 else { return }
            promise.success(Tracked(number, census))
            // The stream's, those that wait for the loop, and the one it has.
            #expect(promise.stream.count <= 10 && census.count <= 21)
            air.after(.milliseconds(1)) { _ in produce(number + 1) }
        }
        let task = Task {
            var numbers: [Int] = []
            for try await value in promise.stream {
                numbers.append(value.number)
                try await clock.sleep(for: .milliseconds(100))
                if value.number >= 4_900 { break }
            }
            return numbers
        }
        air.after(.zero) { _ in produce(0) }
        await air.run(for: .seconds(6))
        let numbers = try await task.value
        #expect(numbers == numbers.sorted() && (45...60).contains(numbers.count))
        #expect(census.most <= 21 && census.most >= 10)
    }

    @Test("The states of a manager are a loop")
    func states() async throws {
        let air = Air.current
        let manager = CentralManager()
        let task = Task {
            var states: [ManagerState] = []
            for try await state in manager.whenStateChanges() {
                states.append(state)
                if state == .poweredOff { break }
            }
            return states
        }
        await air.run(for: .seconds(1))
        air.switchPower(false)
        await air.run(for: .seconds(1))
        #expect(try await task.value == [.unknown, .poweredOn, .poweredOff])
    }
}

/// How many of something there are.
private final class Census: @unchecked Sendable {
    // Of one thread's, the air's.
    var count = 0
    var most = 0
}

private final class Tracked: @unchecked Sendable {
    let number: Int
    private let census: Census

    init(_ number: Int, _ census: Census) {
        self.number = number
        self.census = census
        census.count += 1
        census.most = max(census.most, census.count)
    }

    deinit { census.count -= 1 }
}
