/// The timers of one machine: when each of them runs out, and which is next.
///
/// A machine arms and disarms its timers where its state changes, and keeps no other copy of an instant. What wakes it
/// (`next`) and what it does then (`popExpired(at:)`) come from the same table, so that a timer that is armed is a timer
/// that wakes.
///
/// Timers that run out at the same instant leave in the order that `Timer` gives them: for an enum without raw values,
/// the order of its cases. A table without armed timers takes no storage of its own.
public struct Deadlines<Timer: Comparable> {
    @usableFromInline
    struct Entry {
        @usableFromInline
        var instant: Instant
        @usableFromInline
        var timer: Timer

        @inlinable
        init(instant: Instant, timer: Timer) {
            self.instant = instant
            self.timer = timer
        }

        @inlinable
        func precedes(_ other: Entry) -> Bool {
            instant != other.instant ? instant < other.instant : timer < other.timer
        }
    }

    /// The armed timers, the next one last. Machines have a handful, so that shifting them costs less than a heap.
    @usableFromInline
    var entries: [Entry] = []

    @inlinable
    public init() {}

    /// When the next timer runs out; nil if none is armed.
    @inlinable
    public var next: Instant? { entries.last?.instant }

    /// When a timer runs out; nil if it is not armed.
    @inlinable
    public func instant(of timer: Timer) -> Instant? {
        for entry in entries where entry.timer == timer { return entry.instant }
        return nil
    }

    /// When the next of the other timers runs out; nil if none of them is armed.
    @inlinable
    public func earliest(except timer: Timer) -> Instant? {
        for entry in entries.reversed() where entry.timer != timer { return entry.instant }
        return nil
    }

    @inlinable
    public func isArmed(_ timer: Timer) -> Bool { instant(of: timer) != nil }

    /// Has a timer run out at an instant, be it armed for another one already. An instant in the past runs out at once.
    @inlinable
    public mutating func arm(_ timer: Timer, at instant: Instant) {
        let entry = Entry(instant: instant, timer: timer)
        guard let old = entries.firstIndex(where: { $0.timer == timer }) else {
            var place = entries.count
            entries.append(entry)
            while place > 0, entries[place - 1].precedes(entry) {
                entries[place] = entries[place - 1]
                place -= 1
            }
            entries[place] = entry
            return
        }
        // From its old place it moves past those that it has overtaken; the others stay where they are.
        var place = old
        while place > 0, entries[place - 1].precedes(entry) {
            entries[place] = entries[place - 1]
            place -= 1
        }
        while place + 1 < entries.count, entry.precedes(entries[place + 1]) {
            entries[place] = entries[place + 1]
            place += 1
        }
        entries[place] = entry
    }

    @inlinable
    public mutating func disarm(_ timer: Timer) {
        guard let index = entries.firstIndex(where: { $0.timer == timer }) else { return }
        entries.remove(at: index)
    }

    /// Disarms all timers for which the condition holds.
    @inlinable
    public mutating func disarm(where isDisarmed: (Timer) -> Bool) {
        entries.removeAll { isDisarmed($0.timer) }
    }

    @inlinable
    public mutating func disarmAll() { entries.removeAll() }

    /// Gives back what is kept for timers that were armed, where none is.
    @inlinable
    public mutating func giveBackStorage() { if entries.isEmpty { entries = [] } }

    /// Disarms and answers the next timer that has run out; nil if none has.
    ///
    /// Asked until it is nil, so that a timer that is armed for this instant meanwhile has its turn, too.
    @inlinable
    public mutating func popExpired(at now: Instant) -> Timer? {
        guard let last = entries.last, last.instant <= now else { return nil }
        entries.removeLast()
        return last.timer
    }
}

extension Deadlines: Sendable where Timer: Sendable {}
extension Deadlines.Entry: Sendable where Timer: Sendable {}
