import BluethroatRadioMedium
import BluethroatVirtualTime
import DequeModule

/// The ends of short listening windows, in the order of their instants.
///
/// A window for an answer after the inter frame space ends as soon after it was ordered as all others of its kind, so that
/// it comes last; and mostly a frame comes first, and its end does not matter any more. Other windows end by an event in
/// the world's queue.
struct ListeningEnds {
    struct End {
        let instant: Instant
        /// Its number among the events of the world's queue.
        let sequence: UInt64
        let radio: RadioID
        let generation: UInt32
    }

    /// Windows that end later are none for an answer.
    private static let longest = TimeSpan.milliseconds(1)

    private var ends: Deque<End> = []

    var first: End? { ends.first }
    var isEmpty: Bool { ends.isEmpty }

    /// Whether a window ends soon, and not before the others.
    func takes(_ instant: Instant, at now: Instant) -> Bool {
        guard instant - now < Self.longest else { return false }
        guard let last = ends.last else { return true }
        return last.instant <= instant
    }

    mutating func append(_ end: End) { ends.append(end) }

    mutating func removeFirst() { ends.removeFirst() }
}
