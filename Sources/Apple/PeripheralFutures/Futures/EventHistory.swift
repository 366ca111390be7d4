/// The latest events, so many of them at most.
struct EventHistory<T> {
    private let capacity: Int
    private var kept: [Try<T>] = []
    /// Where the oldest is, once the room is full and the newest takes its place.
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { kept.count }

    /// Oldest first.
    var events: [Try<T>] { oldest == 0 ? kept : Array(kept[oldest...] + kept[..<oldest]) }

    mutating func append(_ event: Try<T>) {
        guard capacity > 0 else { return }
        guard kept.count == capacity else { return kept.append(event) }
        kept[oldest] = event
        oldest = (oldest + 1) % capacity
    }

    /// Takes the oldest.
    mutating func removeFirst() -> Try<T>? {
        guard !kept.isEmpty else { return nil }
        if oldest > 0 {
            kept = events
            oldest = 0
        }
        return kept.removeFirst()
    }
}
