/// Events in the order of their instants; equal instants leave in the order in which they were scheduled.
///
/// A four-way heap in one array, and before it the earliest event, if it was scheduled as the earliest: such a one is
/// mostly taken out before another is scheduled, and never enters the heap. Of very many events those that are not due within
/// about a millisecond wait in a calendar, `LaterEvents`. Nothing is searched on the way: an event that
/// no longer matters carries a generation number that its receiver compares when it arrives.
public struct EventQueue<Event> {
    @usableFromInline
    struct Entry {
        @usableFromInline
        var instant: Instant
        @usableFromInline
        var sequence: UInt64
        @usableFromInline
        var event: Event

        @inlinable
        init(instant: Instant, sequence: UInt64, event: Event) {
            self.instant = instant
            self.sequence = sequence
            self.event = event
        }

        @inlinable
        func precedes(_ other: borrowing Entry) -> Bool {
            instant != other.instant ? instant < other.instant : sequence < other.sequence
        }
    }

    /// Comes before all that are in the heap; nil where the first of those is the earliest.
    @usableFromInline
    var front: Entry?
    @usableFromInline
    var heap: [Entry] = []
    @usableFromInline
    var scheduled: UInt64 = 0
    /// Events at or after the horizon wait there; nil while there are few. If there are any events, one of them is in the
    /// heap or before it.
    @usableFromInline
    var later: LaterEvents<Event>?
    @usableFromInline
    var horizon = Instant.distantFuture

    /// With more events than this in the heap, those that come later are put apart.
    @inlinable
    static var manyEvents: Int { 4_096 }

    public init() {}

    @inlinable
    public var isEmpty: Bool { front == nil && heap.isEmpty }
    @inlinable
    public var count: Int { (front == nil ? heap.count : heap.count + 1) + (later?.count ?? 0) }

    /// The next event and its instant, if there is one.
    @inlinable
    public var first: (instant: Instant, event: Event)? { earliest.map { ($0.instant, $0.event) } }

    /// The instant of the next event, if there is one.
    ///
    /// Asked before each event, and a function of a generic type is not inlined by itself where more than one calls it.
    @inlinable
    @inline(__always)
    public var nextInstant: Instant? { earliest?.instant }

    /// The instant of the event after the next one, if there is one; where there are very many, an instant before which
    /// there is none.
    @inlinable
    public var secondInstant: Instant? {
        guard front == nil else { return heap.first?.instant ?? firstLater }
        guard heap.count > 1 else { return firstLater }
        var least = heap[1].instant
        for index in 2..<max(2, min(5, heap.count)) where heap[index].instant < least { least = heap[index].instant }
        return least
    }

    /// The instant of the next event, and its number among all that were scheduled.
    @inlinable
    public var nextPlace: (instant: Instant, sequence: UInt64)? { earliest.map { ($0.instant, $0.sequence) } }

    @inlinable
    var firstLater: Instant? { later.flatMap { $0.count > 0 ? horizon : nil } }

    @inlinable
    var earliest: Entry? { front ?? heap.first }

    /// The number of an event that is kept elsewhere, as if it were scheduled now: of two at the same instant, the one
    /// with the lower number comes first.
    @inlinable
    public mutating func takeSequence() -> UInt64 {
        scheduled += 1
        return scheduled - 1
    }

    /// As `takeSequence`, for so many events.
    @inlinable
    public mutating func takeSequences(_ count: UInt64) { scheduled += count }

    @inlinable
    public mutating func schedule(_ event: Event, at instant: Instant) {
        schedule(event, at: instant, sequence: takeSequence())
    }

    /// Puts an event in its place that was kept elsewhere and has its number.
    @inlinable
    public mutating func schedule(_ event: Event, at instant: Instant, sequence: UInt64) {
        let entry = Entry(instant: instant, sequence: sequence, event: event)
        if let first = front {
            guard entry.precedes(first) else { return push(entry) }
            push(first)
            front = entry
        } else if let first = heap.first, first.precedes(entry) {
            push(entry)
        } else {
            front = entry
        }
    }

    /// Puts an entry into the heap, or with those that come later.
    @inlinable
    mutating func push(_ entry: Entry) {
        if later != nil, entry.instant >= horizon {
            later?.insert(entry)
            return
        }
        heap.append(entry)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 4
            guard entry.precedes(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = entry
        if heap.count > Self.manyEvents, later == nil { putOffAll() }
    }

    /// Takes out the earliest event.
    @inlinable
    public mutating func popFirst() -> (instant: Instant, event: Event)? {
        if let first = front {
            front = nil
            if heap.isEmpty, later != nil { takeUp() }
            return (first.instant, first.event)
        }
        guard !heap.isEmpty else { return nil }
        let last = heap.removeLast()
        guard let first = heap.first else {
            if later != nil { takeUp() }
            return (last.instant, last.event)
        }
        sink(last)
        return (first.instant, first.event)
    }

    /// Puts apart what is not due soon.
    @inlinable
    mutating func putOffAll() {
        guard let first = heap.first else { return }
        var later = LaterEvents<Event>(from: first.instant)
        horizon = later.begin
        for entry in heap where entry.instant >= horizon { later.insert(entry) }
        self.later = later
        // Entries in order are a heap.
        heap = heap.filter { $0.instant < horizon }.sorted { $0.precedes($1) }
    }

    /// The heap is empty: the next events that were put apart enter it.
    @inlinable
    mutating func takeUp() {
        guard later?.takeNext(into: &heap) == true, let begin = later?.begin else { return }
        horizon = begin
        for index in stride(from: (heap.count - 2) / 4, through: 0, by: -1) where heap.count > 1 {
            sink(heap[index], from: index)
        }
    }

    /// Takes out the earliest event if it is not later than `limit`.
    @inlinable
    public mutating func popFirst(notAfter limit: Instant) -> (instant: Instant, event: Event)? {
        guard let next = nextInstant, next <= limit else { return nil }
        return popFirst()
    }

    /// Takes out all events for which the condition holds; the others leave as they would have.
    public mutating func removeAll(where isRemoved: (Event) -> Bool) {
        if let first = front, isRemoved(first.event) { front = nil }
        // Entries in order are a heap.
        heap = heap.filter { !isRemoved($0.event) }.sorted { $0.precedes($1) }
        later?.removeAll { isRemoved($0.event) }
        if front == nil, heap.isEmpty, later != nil { takeUp() }
    }

    /// Lets `entry` sink from the top, or from another place that is free, to its own.
    @inlinable
    mutating func sink(_ entry: Entry, from place: Int = 0) {
        // Otherwise each look at an entry would be checked, each move would ask whether the list is shared.
        heap.withUnsafeMutableBufferPointer { heap in
            let count = heap.count
            var index = place
            while true {
                let firstChild = 4 * index + 1
                guard firstChild < count else { break }
                var least = firstChild
                var child = firstChild + 1
                let end = min(firstChild + 4, count)
                while child < end {
                    if heap[child].precedes(heap[least]) { least = child }
                    child += 1
                }
                guard heap[least].precedes(entry) else { break }
                heap[index] = heap[least]
                index = least
            }
            heap[index] = entry
        }
    }
}

extension EventQueue: Sendable where Event: Sendable {}
extension EventQueue.Entry: Sendable where Event: Sendable {}
