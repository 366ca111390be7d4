import BluethroatVirtualTime
import Foundation
import Synchronization
import Testing

@testable import BluethroatLiveLoop

/// Keeps wakeUps and notes what the loop did with it.
private final class Diary: TimedMachine {
    private(set) var present = Instant.zero
    private(set) var runs = 0
    private(set) var kept: [Instant] = []
    private var wakeUps: [(Instant, @Sendable (Instant) -> Void)] = []
    var notes: [Int] = []

    var nextEventInstant: Instant? { wakeUps.map(\.0).min() }

    func run(until instant: Instant) {
        precondition(instant >= present, "time ran backwards")
        runs += 1
        while let next = nextEventInstant, next <= instant {
            let index = wakeUps.firstIndex { $0.0 == next }!
            let (due, act) = wakeUps.remove(at: index)
            kept.append(due)
            act(due)
        }
        present = instant
    }

    func make(at instant: Instant, _ act: @escaping @Sendable (Instant) -> Void = { _ in }) {
        wakeUps.append((instant, act))
    }
}

/// Which thread this is, as a number.
private func threadID() -> UInt { UInt(bitPattern: pthread_self().hashValue) }

@Suite("A machine on a thread of its own", .timeLimit(.minutes(1)))
struct LiveLoopTests {
    @Test("An order finds the machine at the present and gives its answer")
    func perform() async {
        let live = LiveLoop(Diary())
        let first = await live.perform { $0.present }
        let second = await live.perform { $0.present }
        #expect(first > .zero)
        #expect(second > first)
    }

    @Test("An order's error comes back as it is")
    func errors() async {
        struct Refusal: Error, Equatable { var code: Int }
        let live = LiveLoop(Diary())
        await #expect(throws: Refusal(code: 7)) {
            try await live.perform { _ throws(Refusal) in throw Refusal(code: 7) }
        }
    }

    @Test("What is due happens by itself, in order, and not before its time")
    func wakeUps() async {
        let live = LiveLoop(Diary())
        await withCheckedContinuation { continuation in
            live.post { diary in
                let now = diary.present
                diary.make(at: now + .milliseconds(4)) { _ in continuation.resume() }
                diary.make(at: now + .milliseconds(2))
            }
        }
        let (kept, present) = await live.perform { ($0.kept, $0.present) }
        #expect(kept.count == 2)
        #expect(kept[0] < kept[1])
        #expect(present >= kept[1])
    }

    @Test("An order that brings the next event forward wakes the sleeper in time")
    func earlier() async {
        let live = LiveLoop(Diary())
        await live.perform { $0.make(at: $0.present + .seconds(3_000)) }
        await withCheckedContinuation { continuation in
            live.post { $0.make(at: $0.present + .milliseconds(1)) { _ in continuation.resume() } }
        }
        #expect(await live.perform { $0.kept.count } == 1)
    }

    @Test("A machine that is far behind is run through all of it, and orders are heard on the way")
    func catchingUp() async {
        // It begins six minutes ago by its own reckoning, with an event each second since.
        let start = Instant.zero
        let line = TimeLine(start: start, at: MonotonicClock.Reading(nanoseconds: 0))
        var pace = LoopPace(from: start)
        let diary = Diary()
        for second in 1...360 { diary.make(at: start + .seconds(Int64(second))) }
        let now = line.instant(of: MonotonicClock.Reading(nanoseconds: 360_000_000_000))
        var looks = 0
        while pace.reached < now {
            diary.run(until: pace.target(now: now, next: diary.nextEventInstant))
            looks += 1
        }
        #expect(diary.kept.count == 360)
        #expect(looks == 360)
        #expect(diary.present == now)
    }

    @Test("A speed beyond what can be computed is as much as can be: orders are carried out")
    func greatestSpeed() async {
        let live = LiveLoop(Diary())
        live.setSpeed(.greatestFiniteMagnitude)
        for _ in 0..<20 { await live.perform { _ in } }
        live.setSpeed(1)
        let present = await live.perform(\.present)
        #expect(present > .zero && present < .zero + .seconds(86_400 * 365))
    }

    @Test("Without events and orders nothing runs at all")
    func idle() async {
        let live = LiveLoop(Diary())
        let before = await live.perform { $0.runs }
        await live.perform { $0.make(at: $0.present + .seconds(3_000)) }
        let after = await live.perform { $0.runs }
        #expect(after - before <= 2)
    }

    @Test("Orders from many threads are all carried out, those of one thread in their order")
    func posting() async {
        let live = LiveLoop(Diary())
        await withTaskGroup { group in
            for poster in 0..<8 {
                group.addTask {
                    for number in 0..<500 { live.post { $0.notes.append(poster * 1_000 + number) } }
                }
            }
        }
        let notes = await live.perform { $0.notes }
        #expect(notes.count == 4_000)
        for poster in 0..<8 {
            let own = notes.filter { $0 / 1_000 == poster }
            #expect(own == own.sorted())
        }
    }

    @Test("Orders and the machine share one thread")
    func oneThread() async {
        let live = LiveLoop(Diary())
        let threads = await withTaskGroup(of: UInt.self) { group in
            for _ in 0..<4 { group.addTask { await live.perform { _ in threadID() } } }
            group.addTask {
                await withCheckedContinuation { continuation in
                    live.post {
                        $0.make(at: $0.present + .milliseconds(1)) { _ in continuation.resume(returning: threadID()) }
                    }
                }
            }
            return await group.reduce(into: Set<UInt>()) { $0.insert($1) }
        }
        #expect(threads.count == 1)
        #expect(!threads.contains(threadID()))
    }

    @Test("When nobody holds the loop, its thread ends and lets the machine go")
    func ending() async {
        await withCheckedContinuation { continuation in
            final class Mortal: TimedMachine {
                let atEnd: @Sendable () -> Void
                var nextEventInstant: Instant? { nil }
                init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
                func run(until instant: Instant) {}
                deinit { atEnd() }
            }
            var live: LiveLoop<Mortal>? = LiveLoop(Mortal { continuation.resume() })
            live?.post { _ in }
            live = nil
        }
    }
}
