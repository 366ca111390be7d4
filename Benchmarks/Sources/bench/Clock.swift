/// The wall clock, in seconds since some instant.
func wallClock() -> Double {
    let now = ContinuousClock.now
    let (seconds, attoseconds) = start.duration(to: now).components
    return Double(seconds) + Double(attoseconds) * 1e-18
}

private let start = ContinuousClock.now

/// How often a second something happens, while `advance` lets some of it happen and `count` tells how often it has.
///
/// The first call of `advance` warms up. The rest is measured in five rounds, of which the best counts: the machine may
/// have other things to do in one of them.
func bestRate(seconds: Double, advance: () -> Void, count: () -> Double) -> Double {
    let rounds = 5
    advance()
    var best = 0.0
    for _ in 0..<rounds {
        let before = count(), begin = wallClock()
        var elapsed = 0.0
        repeat {
            advance()
            elapsed = wallClock() - begin
        } while elapsed < seconds / Double(rounds)
        best = max(best, (count() - before) / elapsed)
    }
    return best
}
