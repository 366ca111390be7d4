import Dispatch
import Synchronization
import Testing

@testable import BluethroatTesting

@Suite("Whose tasks are whose")
struct TaskCaptureTests {
    @Test("Asynchronous code in withAir is the air's from its first line on, and so are its tasks")
    func arriving() async {
        for _ in 0..<3 {
            await withAir { air in
                #expect(air.executor.isHere)
                let task = Task { air.executor.isHere }
                await air.settle()
                #expect(await task.value)
            }
        }
    }

    @Test("What a test does after an air is not that air's")
    func leaving() async {
        let executor = await withAir { air in
            await air.settle()
            return air.executor
        }
        #expect(TaskCapture.current == nil && !executor.isHere)
        #expect(await Task { TaskCapture.current == nil }.value)
    }

    @Test("The same on the main actor")
    @MainActor
    func leavingTheMainActor() async {
        await withAir { air in
            #expect(air.executor.isHere)
            await air.run(for: .seconds(1))
        }
        #expect(TaskCapture.current == nil)
        await Task.yield()
        #expect(TaskCapture.current == nil)
        #expect(await Task { TaskCapture.current == nil }.value)
    }

    @Test("An air within another one's test has its own tasks, and gives the test back", .air)
    func within() async {
        let outer = Air.current
        await withAir { inner in
            #expect(inner.executor.isHere && !outer.executor.isHere)
            let task = Task { inner.executor.isHere }
            #expect(await task.value)
        }
        #expect(outer.executor.isHere)
        #expect(await Task { outer.executor.isHere }.value)
    }

    @Test("A task comes back from a thread of the app's own", .air)
    func threads() async {
        let executor = Air.current.executor
        let task = Task {
            for _ in 0..<100 {
                await withCheckedContinuation { continuation in DispatchQueue.global().async { continuation.resume() } }
                guard executor.isHere else { return false }
                await Task.yield()
                guard executor.isHere else { return false }
            }
            return true
        }
        #expect(await task.value)
    }

    @Test("In a test that is not asynchronous no task runs before time does")
    func synchronous() {
        withAir { air in
            let heard = Heard()
            Task { await heard.actor.add("a") }
            Task { @MainActor in heard.add("b") }
            Task { heard.add("c") }
            #expect(heard.all.isEmpty)
            air.run(for: .zero)
            #expect(heard.all == ["b", "c"])
        }
    }

    @Test("Tasks of the main actor, and what they do elsewhere, come in the same order each time")
    func mainActor() async {
        var diaries: Set<[String]> = []
        for _ in 0..<20 {
            await withAir { air in
                let heard = Heard()
                let clock = air.clock
                for number in 0..<4 {
                    Task { @MainActor in
                        for round in 0..<3 {
                            try await clock.sleep(for: .milliseconds(10))
                            await elsewhere { heard.add("\(number) elsewhere in \(round) at \(air.now)") }
                            heard.add("\(number) in \(round) at \(air.now)")
                            await Task.yield()
                        }
                    }
                }
                await air.run(for: .milliseconds(30))
                #expect(heard.all.count == 24 && heard.all.last?.hasSuffix("at 0.03 seconds") == true)
                diaries.insert(heard.all)
            }
        }
        #expect(diaries.count == 1)
    }

    @Test("A test that waits while its air stands still is told that it may wait for ever", .air(seed: 3))
    func standstill() async {
        let air = Air.current
        let clock = air.clock
        let task = Task { try await clock.sleep(for: .seconds(5)) }
        await air.run(for: .seconds(2))
        let text = await withCheckedContinuation { continuation in
            air.executor.standstill.begin(patience: .milliseconds(1)) { [timeline = air.timeline] in
                air.executor.standstill.end()
                continuation.resume(returning: StandstillWatch.text("This test", seed: 3, timeline))
            }
        }
        #expect(text.contains("This test waits, and its air stands still at 2.0 s (seed 3)."))
        #expect(text.contains("Tasks that sleep: 1, the first until 5.0 s."))
        task.cancel()
    }

    @Test("A line of tasks that is never empty does not grow")
    func line() throws {
        let running = withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UnownedJob.self) } }
        let job = JobLine.Job(job: try #require(running), isMainActors: false)
        var line = JobLine()
        for _ in 0..<3 { line.append(job) }
        for _ in 0..<10_000 {
            _ = line.removeFirst()
            line.append(job)
        }
        #expect(line.addedCount == 10_003 && line.count == 3)
    }

    /// Not on the actor of who calls.
    @concurrent
    private func elsewhere(_ action: @Sendable () -> Void) async { action() }
}
