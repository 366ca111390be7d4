import BluethroatVirtualTime
import Testing

@Suite("Deadlines of a machine")
struct DeadlinesTests {
    private enum Timer: Comparable, CaseIterable { case first, second, third, fourth, fifth }

    @Test(
        "A deadline that is armed is a deadline that wakes: the table agrees with a dictionary, whatever is done with it"
    )
    func armedIsWoken() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededRandom(seed: seed, purpose: "deadlines")
            var (deadlines, expected) = (Deadlines<Timer>(), [Timer: Instant]())
            for _ in 0..<200 {
                let timer = Timer.allCases[Int(random.next(below: 5))]
                switch random.next(below: 8) {
                case 0:
                    deadlines.disarm(timer)
                    expected[timer] = nil
                case 1:
                    deadlines.disarm { $0 < timer }
                    for other in Timer.allCases where other < timer { expected[other] = nil }
                case 2:
                    let now = Instant(nanoseconds: Int64(random.next(below: 20)))
                    let due = expected.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
                    var woken: [Timer] = []
                    while let timer = deadlines.popExpired(at: now) { woken.append(timer) }
                    #expect(woken == due.map(\.key), "seed \(seed)")
                    for timer in woken { expected[timer] = nil }
                default:
                    let instant = Instant(nanoseconds: Int64(random.next(below: 20)))
                    deadlines.arm(timer, at: instant)
                    expected[timer] = instant
                }
                #expect(deadlines.next == expected.values.min(), "seed \(seed)")
                for timer in Timer.allCases {
                    #expect(deadlines.instant(of: timer) == expected[timer], "seed \(seed)")
                    #expect(deadlines.isArmed(timer) == (expected[timer] != nil), "seed \(seed)")
                }
            }
        }
    }

    @Test("Timers of one instant run out in the order of their cases, not in the order in which they were armed")
    func tiesFollowTheCases() {
        let instant = Instant(nanoseconds: 7)
        var deadlines = Deadlines<Timer>()
        for timer in [Timer.third, .first, .fifth, .second, .fourth] { deadlines.arm(timer, at: instant) }
        var order: [Timer] = []
        while let timer = deadlines.popExpired(at: instant) { order.append(timer) }
        #expect(order == Timer.allCases)
    }

    @Test("Nothing runs out before its instant, and a table that is disarmed wakes no machine")
    func neverEarly() {
        var deadlines = Deadlines<Timer>()
        deadlines.arm(.first, at: Instant(nanoseconds: 10))
        #expect(deadlines.popExpired(at: Instant(nanoseconds: 9)) == nil)
        #expect(deadlines.next == Instant(nanoseconds: 10))
        deadlines.disarmAll()
        #expect(deadlines.next == nil)
        #expect(deadlines.popExpired(at: .distantFuture) == nil)
    }
}
