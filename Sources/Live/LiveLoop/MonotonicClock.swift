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
    private let origin: Int64

    /// `start` of the machine is `reading` of the clock.
    init(start: Instant, at reading: MonotonicClock.Reading) {
        origin = reading.nanoseconds - start.nanoseconds
    }

    func instant(of reading: MonotonicClock.Reading) -> Instant { Instant(nanoseconds: reading.nanoseconds - origin) }

    /// Nil for instants too far away to be waited for.
    func reading(of instant: Instant) -> MonotonicClock.Reading? {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(origin)
        return overflow ? nil : MonotonicClock.Reading(nanoseconds: sum)
    }
}
