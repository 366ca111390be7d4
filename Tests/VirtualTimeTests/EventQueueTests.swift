import BluethroatVirtualTime
import FuzzInputs
import Testing

@Suite("Event queue")
struct EventQueueTests {
    /// A queue that is sorted anew for each question: slow, and right by its shape.
    private struct SortedList {
        private var entries: [(instant: Instant, order: Int)] = []

        mutating func schedule(_ order: Int, at instant: Instant) { entries.append((instant, order)) }

        mutating func popFirst(notAfter limit: Instant = .distantFuture) -> (instant: Instant, order: Int)? {
            let sorted = entries.sorted { ($0.instant, $0.order) < ($1.instant, $1.order) }
            guard let first = sorted.first, first.instant <= limit else { return nil }
            entries.removeAll { $0.order == first.order }
            return first
        }
    }

    @Test("Events leave by instant, and in the order of scheduling where instants are equal", arguments: 0..<100)
    func sorted(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "event queue")
        var queue = EventQueue<Int>()
        // Few instants, so that many are equal.
        let instants = (0..<500).map { _ in Instant(nanoseconds: Int64(random.next(below: 40))) }
        for (order, instant) in instants.enumerated() { queue.schedule(order, at: instant) }
        #expect(queue.count == 500)
        #expect(queue.nextInstant == instants.min())

        let expected = instants.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
        var popped: [Int] = []
        while let (instant, order) = queue.popFirst() {
            #expect(instant == instants[order])
            popped.append(order)
        }
        #expect(popped == expected.map(\.offset), "seed \(seed)")
        #expect(queue.isEmpty && queue.nextInstant == nil)
    }

    @Test("Very many events leave in the same order, those too that wait for long", arguments: 0..<12)
    func veryMany(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "event queue")
        var queue = EventQueue<Int>(), now = Instant.zero, left: Set<Int> = [], instants: [Instant] = []
        let spans: [UInt64] = [1_000, 3_000_000, 400_000_000, 8_500_000_000, 9_000_000_000, 70_000_000_000]
        var last = (instant: Instant.zero, order: -1)
        func schedule() {
            let instant = now + TimeSpan(nanoseconds: Int64(random.next(below: spans[Int(random.next(below: 6))])))
            left.insert(instants.count)
            queue.schedule(instants.count, at: instant)
            instants.append(instant)
        }
        func leave() {
            let next = queue.nextInstant
            guard let (instant, order) = queue.popFirst() else { return #expect(left.isEmpty) }
            #expect(next == instant && instants[order] == instant && left.remove(order) != nil, "seed \(seed)")
            #expect((last.instant, last.order) < (instant, order) || last.instant < instant, "seed \(seed)")
            (now, last) = (instant, (instant, order))
            #expect(queue.count == left.count)
        }
        // Up to many, about as many for a while, some taken out, and down to none.
        for _ in 0..<12_000 { if random.next(below: 4) > 0 { schedule() } else { leave() } }
        for _ in 0..<20_000 { if random.next(below: 2) > 0 { schedule() } else { leave() } }
        queue.removeAll { $0 % 3 == 0 }
        left = left.filter { $0 % 3 != 0 }
        for _ in 0..<2_000 { if random.next(below: 2) > 0 { schedule() } else { leave() } }
        while !left.isEmpty, !queue.isEmpty { leave() }
        #expect(left.isEmpty && queue.isEmpty && queue.popFirst() == nil, "seed \(seed)")
        // And from none to one in a long time.
        queue.schedule(instants.count, at: now + .seconds(100_000))
        instants.append(now + .seconds(100_000))
        #expect(queue.popFirst()?.instant == now + .seconds(100_000))
    }

    @Test("An event at the last instant of all is kept, too", arguments: [1, 5_000])
    func lastInstant(count: Int) {
        var queue = EventQueue<Int>()
        for number in 0..<count { queue.schedule(number, at: .distantFuture) }
        for number in 0..<count { queue.schedule(count + number, at: Instant(nanoseconds: 10)) }
        #expect(queue.count == 2 * count)
        for number in 0..<2 * count { #expect(queue.popFirst()?.event == (number + count) % (2 * count)) }
    }

    @Test("An event that is kept elsewhere has its place among those of its instant")
    func keptElsewhere() {
        var queue = EventQueue<String>()
        let instant = Instant(nanoseconds: 5)
        queue.schedule("first", at: instant)
        let number = queue.takeSequence()
        queue.schedule("third", at: instant)
        #expect(queue.nextPlace.map { $0.instant == instant && $0.sequence < number } == true)
        _ = queue.popFirst()
        #expect(queue.nextPlace.map { $0.instant == instant && $0.sequence > number } == true)
        queue.schedule("second", at: instant, sequence: number)
        #expect(queue.popFirst()?.event == "second" && queue.popFirst()?.event == "third")
    }

    @Test("The next event and the instant of the one after it are known before they leave", arguments: 0..<50)
    func looked(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "event queue")
        var queue = EventQueue<Int>(), model: [Instant] = []
        for order in 0..<300 {
            let instant = Instant(nanoseconds: Int64(random.next(below: 50)))
            queue.schedule(order, at: instant)
            model.append(instant)
            model.sort()
            #expect(queue.first?.instant == model[0] && queue.count == model.count, "seed \(seed)")
            #expect(queue.secondInstant == model.dropFirst().first, "seed \(seed)")
            for _ in 0..<random.next(below: 3) where !model.isEmpty {
                let next = queue.first?.event
                let popped = queue.popFirst()
                #expect(popped?.event == next && popped?.instant == model.removeFirst(), "seed \(seed)")
                #expect(queue.secondInstant == model.dropFirst().first, "seed \(seed)")
            }
        }
    }

    @Test("What is scheduled between two pops takes its place", arguments: 0..<Effort.count(100, usually: 20))
    func interleaved(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "event queue")
        var queue = EventQueue<Int>(), model = SortedList()
        for order in 0..<400 {
            let instant = Instant(nanoseconds: Int64(random.next(below: 60)))
            queue.schedule(order, at: instant)
            model.schedule(order, at: instant)
            for _ in 0..<random.next(below: 3) {
                let limit = Instant(nanoseconds: Int64(random.next(below: 60)))
                let popped = queue.popFirst(notAfter: limit), expected = model.popFirst(notAfter: limit)
                #expect(popped?.event == expected?.order && popped?.instant == expected?.instant, "seed \(seed)")
            }
        }
        while let expected = model.popFirst() {
            let popped = queue.popFirst()
            #expect(popped?.event == expected.order, "seed \(seed)")
        }
        #expect(queue.isEmpty)
    }

    @Test("A limit is included, and what is later stays")
    func limit() {
        var queue = EventQueue<String>()
        queue.schedule("late", at: Instant(nanoseconds: 11))
        queue.schedule("due", at: Instant(nanoseconds: 10))
        var popped: [String?] = []
        for limit in [9, 10, 10] as [Int64] {
            popped.append(queue.popFirst(notAfter: Instant(nanoseconds: limit))?.event)
        }
        #expect(popped == [nil, "due", nil])
        #expect(queue.count == 1 && queue.nextInstant == Instant(nanoseconds: 11))
    }

    @Test("An emptied queue keeps no event alive")
    func released() {
        final class Payload {}
        var queue = EventQueue<Payload>()
        weak var payload: Payload?
        do {
            let strong = Payload()
            payload = strong
            queue.schedule(strong, at: .zero)
            queue.schedule(Payload(), at: .zero + .seconds(1))
        }
        #expect(payload != nil)
        _ = queue.popFirst()
        #expect(payload == nil)
    }

    @Test("What is taken out of the middle does not come, and the others come as they would have", arguments: 0..<50)
    func removed(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "event queue")
        var queue = EventQueue<Int>()
        let instants = (0..<300).map { _ in Instant(nanoseconds: Int64(random.next(below: 40))) }
        for (order, instant) in instants.enumerated() { queue.schedule(order, at: instant) }
        queue.removeAll { $0 % 3 == 1 }
        #expect(queue.count == 200)
        queue.schedule(300, at: .zero)
        let expected = (instants + [.zero]).enumerated().filter { $0.offset % 3 != 1 }
            .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
        var popped: [Int] = []
        while let event = queue.popFirst()?.event { popped.append(event) }
        #expect(popped == expected, "seed \(seed)")
    }
}
