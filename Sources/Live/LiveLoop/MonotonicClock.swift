import BluethroatVirtualTime
import Foundation

/// The clock that only goes forward and cannot be set; it stands still while the machine is suspended.
enum MonotonicClock {
    /// Nanoseconds since some moment in the past.
    struct Reading: Comparable {
        let nanoseconds: Int64

        static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
    }

    static var now: Reading {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Reading(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

/// Where a machine's time line lies on the wall's clock.
struct TimeLine {
    private let start: Instant
    private let origin: MonotonicClock.Reading
    /// How many seconds of the machine pass in one of the wall's clock.
    private let speed: Double

    /// `start` of the machine is `reading` of the clock.
    init(start: Instant, at reading: MonotonicClock.Reading, speed: Double = 1) {
        self.start = start
        origin = reading
        self.speed = speed
    }

    func instant(of reading: MonotonicClock.Reading) -> Instant {
        let span = reading.nanoseconds - origin.nanoseconds
        // 146 years at most, so that there is always some time left.
        let passed = speed == 1 ? span : Int64(min(Double(span) * speed, 0x1p62))
        return min(start.after(TimeSpan(nanoseconds: passed)), Instant(nanoseconds: 1 << 62))
    }

    /// Nil for instants too far away to be waited for.
    func reading(of instant: Instant) -> MonotonicClock.Reading? {
        let (span, isTooLong) = instant.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        // At another speed a look may come a little early; the next one is then near.
        guard !isTooLong, let real = speed == 1 ? span : Int64(exactly: (Double(span) / speed).rounded(.up)) else {
            return nil
        }
        let (sum, overflow) = real.addingReportingOverflow(origin.nanoseconds)
        return overflow ? nil : MonotonicClock.Reading(nanoseconds: sum)
    }
}
