import Foundation

/// What time is measured with.
enum Clock {
    /// The one on the wall.
    case wall
    /// What the processor spends on this process; nearly the same where it has nothing else to do.
    case processor

    /// Seconds since some instant.
    var now: Double {
        var time = timespec()
        clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// How long, and by which clock, a rate is measured.
struct Effort {
    var seconds = 2.0
    var clock = Clock.wall

    /// How often a second something happens, while `advance` lets some of it happen and `count` tells how often it has.
    ///
    /// The first call of `advance` warms up. The rest is measured in ten rounds, of which the best counts: the machine
    /// may have other things to do in one of them.
    func bestRate(advance: () -> Void, count: () -> Double) -> Double {
        let rounds = 10
        advance()
        var best = 0.0
        for _ in 0..<rounds {
            let before = count(), begin = clock.now
            var elapsed = 0.0
            repeat {
                advance()
                elapsed = clock.now - begin
            } while elapsed < seconds / Double(rounds)
            best = max(best, (count() - before) / elapsed)
        }
        return best
    }
}
