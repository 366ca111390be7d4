internal import BluethroatVirtualTime

extension Deadlines {
    /// Has a timer run out at an instant, or not at all.
    mutating func arm(_ timer: Timer, at instant: Instant?) {
        if let instant { arm(timer, at: instant) } else { disarm(timer) }
    }

    /// Whether any timer has run out.
    func isDue(at now: Instant) -> Bool { next.map { $0 <= now } ?? false }
}
