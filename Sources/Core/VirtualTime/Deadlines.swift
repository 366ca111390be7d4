/// The timers of one machine: when each of them runs out, and which is next.
///
/// A machine arms and disarms its timers where its state changes, and keeps no other copy of an instant. What wakes it
/// (`next`) and what it does then (`popExpired(at:)`) come from the same table, so that a timer that is armed is a timer
/// that wakes.
///
/// Timers that run out at the same instant leave in the order that `Timer` gives them: for an enum without raw values,
/// the order of its cases. A table with one armed timer, or none, takes no storage of its own.
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

    /// The armed timer that runs out next. It stands here, and not in the list, since most tables have one timer, or none.
    @usableFromInline
    var first: Entry?
    /// The others, the next one last. Machines have a handful, so that shifting them costs less than a heap.
    @usableFromInline
    var others: [Entry] = []

    @inlinable
    public init() {}

    /// When the next timer runs out; nil if none is armed.
    @inlinable
    public var next: Instant? { first?.instant }

    /// When a timer runs out; nil if it is not armed.
    @inlinable
    public func instant(of timer: Timer) -> Instant? {
        guard let first else { return nil }
        if first.timer == timer { return first.instant }
        for entry in others where entry.timer == timer { return entry.instant }
        return nil
    }

    /// When the next of the other timers runs out; nil if none of them is armed.
    @inlinable
    public func earliest(except timer: Timer) -> Instant? {
        guard let first, first.timer == timer else { return next }
        return others.last?.instant
    }

    @inlinable
    public func isArmed(_ timer: Timer) -> Bool { instant(of: timer) != nil }

    /// Has a timer run out at an instant, be it armed for another one already. An instant in the past runs out at once.
    @inlinable
    public mutating func arm(_ timer: Timer, at instant: Instant) {
        disarm(timer)
        let entry = Entry(instant: instant, timer: timer)
        guard let first else {
            self.first = entry
            return
        }
        guard first.precedes(entry) else {
            others.append(first)
            self.first = entry
            return
        }
        var place = others.count
        others.append(entry)
        while place > 0, others[place - 1].precedes(entry) {
            others[place] = others[place - 1]
            place -= 1
        }
        others[place] = entry
    }

    @inlinable
    public mutating func disarm(_ timer: Timer) {
        guard let first else { return }
        guard first.timer != timer else { return removeFirst() }
        guard let index = others.firstIndex(where: { $0.timer == timer }) else { return }
        others.remove(at: index)
    }

    /// Disarms all timers for which the condition holds.
    @inlinable
    public mutating func disarm(where isDisarmed: (Timer) -> Bool) {
        others.removeAll { isDisarmed($0.timer) }
        if let first, isDisarmed(first.timer) { removeFirst() }
    }

    @inlinable
    public mutating func disarmAll() {
        first = nil
        others.removeAll()
    }

    /// Gives back what is kept for timers that were armed, where none is.
    @inlinable
    public mutating func giveBackStorage() { if others.isEmpty, others.capacity > 0 { others = [] } }

    /// Disarms and answers the next timer that has run out; nil if none has.
    ///
    /// Asked until it is nil, so that a timer that is armed for this instant meanwhile has its turn, too.
    @inlinable
    public mutating func popExpired(at now: Instant) -> Timer? {
        guard let first, first.instant <= now else { return nil }
        removeFirst()
        return first.timer
    }

    @inlinable
    mutating func removeFirst() { first = others.isEmpty ? nil : others.removeLast() }
}

extension Deadlines: Sendable where Timer: Sendable {}
extension Deadlines.Entry: Sendable where Timer: Sendable {}
