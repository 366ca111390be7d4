import BluethroatVirtualTime
import Testing

@testable import BluethroatLiveLoop

private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

@Suite("The pace of a live machine")
struct LoopPaceTests {
    @Test("A machine that is up to date is run to the present")
    func present() {
        var pace = LoopPace(from: .zero)
        #expect(pace.target(now: at(5), next: at(3)) == at(5))
        #expect(pace.target(now: at(9), next: at(12)) == at(9))
        #expect(pace.reached == at(9))
    }

    @Test("A machine with nothing to do reaches the present in one step, however far away")
    func idle() {
        var pace = LoopPace(from: .zero)
        #expect(pace.target(now: at(3_600_000), next: nil) == at(3_600_000))
        #expect(pace.target(now: at(7_200_000), next: at(7_199_990)) == at(7_200_000))
    }

    @Test("A machine that fell behind catches up stretch by stretch, skipping only what is empty")
    func behind() {
        var pace = LoopPace(from: .zero)
        #expect(pace.target(now: at(1_000), next: at(10)) == at(30))
        #expect(pace.target(now: at(1_000), next: at(31)) == at(51))
        #expect(pace.target(now: at(1_001), next: at(900)) == at(920))
        #expect(pace.target(now: at(1_001), next: at(990)) == at(1_001))
    }

    @Test("What is overdue starts where the machine is, not where it should have been")
    func overdue() {
        var pace = LoopPace(from: at(100))
        #expect(pace.target(now: at(500), next: at(40)) == at(120))
    }

    @Test("Time never runs backwards")
    func monotonic() {
        var pace = LoopPace(from: at(100))
        #expect(pace.target(now: at(50), next: at(60)) == at(100))
    }

    @Test("It sleeps until the next event, not at all if that is due, and for ever without one")
    func sleeping() {
        let pace = LoopPace(from: at(100))
        #expect(pace.wakeUp(next: at(130)) == at(130))
        #expect(pace.wakeUp(next: at(90)) == at(100))
        #expect(pace.wakeUp(next: nil) == nil)
    }

    @Test("Instants map onto the clock and back; the end of time is nobody's appointment")
    func timeLine() {
        let line = TimeLine(start: at(40), at: MonotonicClock.Reading(nanoseconds: 1_000_000_000))
        let reading = MonotonicClock.Reading(nanoseconds: 1_010_000_000)
        #expect(line.instant(of: reading) == at(50))
        #expect(line.reading(of: at(50)) == reading)
        #expect(line.reading(of: .distantFuture) == nil)
    }

    @Test("At another speed the machine's time is as much more than the clock's")
    func speed() {
        let line = TimeLine(start: at(40), at: MonotonicClock.Reading(nanoseconds: 1_000_000_000), speed: 20)
        let reading = MonotonicClock.Reading(nanoseconds: 1_001_000_000)
        #expect(line.instant(of: reading) == at(60))
        #expect(line.reading(of: at(60)) == reading)
    }

    @Test("At a speed beyond all bounds, and after a wait without end, there is still some time left")
    func greatestSpeed() {
        let start = MonotonicClock.Reading(nanoseconds: 0), end = MonotonicClock.Reading(nanoseconds: .max)
        for speed in [1, 1e10, Double.greatestFiniteMagnitude] {
            let line = TimeLine(start: at(40), at: start, speed: speed)
            #expect(line.instant(of: end) == Instant(nanoseconds: 1 << 62))
            #expect(line.instant(of: start) == at(40))
        }
    }
}
