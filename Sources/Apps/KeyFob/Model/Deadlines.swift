import BluethroatVirtualTime

/// The timers of one machine by name: at most one deadline each.
struct Deadlines<Timer: CaseIterable & RawRepresentable<Int>>: Sendable {
    /// `distantFuture` for a timer that is not running.
    private var instants = [Instant](repeating: .distantFuture, count: Timer.allCases.count)

    mutating func arm(_ timer: Timer, at instant: Instant) { instants[timer.rawValue] = instant }

    mutating func cancel(_ timer: Timer) { instants[timer.rawValue] = .distantFuture }

    func isArmed(_ timer: Timer) -> Bool { instants[timer.rawValue] != .distantFuture }

    /// The earliest deadline, if a timer runs.
    var next: Instant? {
        var earliest = Instant.distantFuture
        for instant in instants where instant < earliest { earliest = instant }
        return earliest == .distantFuture ? nil : earliest
    }

    /// Takes out the earliest timer that is due, the first declared among equals, with its deadline.
    mutating func takeDue(at now: Instant) -> (timer: Timer, deadline: Instant)? {
        guard let deadline = next, deadline <= now else { return nil }
        guard let index = instants.firstIndex(of: deadline), let timer = Timer(rawValue: index) else { return nil }
        instants[index] = .distantFuture
        return (timer, deadline)
    }
}

/// What a key fob waits for. Timers due at one instant expire in this order.
enum KeyFobTimer: Int, CaseIterable {
    case stackStart
    case powerLightEnd
    case batteryCheck
    case advertisingEnd
    case buzzer
    case flash
    case accelerometerSample
    case keyScan
}
