import BluethroatVirtualTime

/// What is to happen on an air that several parts of a world share, in an order that does not depend on who told it, or
/// when: by the instant; at the same instant ends before what is broken off before beginnings, but that a frame that is
/// broken off as it begins has begun; then by the radio's number.
/// What one radio does at the same instant stays in its order.
struct AirAgenda {
    enum Step: UInt8 {
        case end
        case breakOff
        case begin
        case breakOffAtOnce
    }

    struct Entry {
        let instant: Instant
        let step: Step
        /// The radio's number.
        let radio: UInt32
        /// Where the rest of it is kept: for an end, the number of the transmission.
        let place: UInt32
        fileprivate var sequence: UInt32 = 0

        init(instant: Instant, step: Step, radio: UInt32, place: UInt32) {
            self.instant = instant
            self.step = step
            self.radio = radio
            self.place = place
        }

        fileprivate func precedes(_ other: Entry) -> Bool {
            if instant != other.instant { return instant < other.instant }
            if step != other.step { return step.rawValue < other.step.rawValue }
            if radio != other.radio { return radio < other.radio }
            return Int32(bitPattern: sequence &- other.sequence) < 0
        }
    }

    /// A binary heap.
    private var heap: [Entry] = []
    private var count: UInt32 = 0

    var first: Entry? { heap.first }

    mutating func insert(_ new: consuming Entry) {
        var entry = new
        entry.sequence = count
        count &+= 1
        heap.append(entry)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = entry
    }

    mutating func popFirst() -> Entry? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(last) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = last
        return first
    }

    /// The entries of a radio's frames that end after now, in no order that means anything.
    func ends(of radio: UInt32) -> [Entry] { heap.filter { $0.step == .end && $0.radio == radio } }
}
