import BluethroatVirtualTime

/// How the time of a machine follows the clock on the wall. Only arithmetic, so that it can be tested without either.
///
/// The machine is always run up to the present before an order reaches it. If it has fallen behind (the process was
/// stopped, or a crowded world costs more than it lasts) it catches up in stretches, and orders are heard in between:
/// nothing is skipped, and no order waits for the whole of it.
struct LoopPace {
    /// The longest piece of time between two looks into the inbox.
    static let stretch = TimeSpan.milliseconds(20)

    /// How far the machine has come.
    private(set) var reached: Instant

    init(from start: Instant) { reached = start }

    /// What to run before orders are carried out at `now`: all that is due, but no more than one stretch of it.
    mutating func target(now: Instant, next: Instant?) -> Instant {
        let busyFrom = max(next ?? .distantFuture, reached)
        // The wall's clock never runs backwards, but a machine may have been put ahead of it.
        let goal = max(now, reached)
        reached = busyFrom > goal - Self.stretch ? goal : busyFrom + Self.stretch
        return reached
    }

    /// When to look again if no order comes before: at once if something is due, never if nil.
    func wakeUp(next: Instant?) -> Instant? { next.map { max($0, reached) } }
}
