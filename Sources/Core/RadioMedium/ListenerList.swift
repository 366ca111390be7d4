import BluethroatBluetoothValues
import BluethroatVirtualTime

/// A radio that listens, with all that decides whether a frame is one that it waits for.
struct Listener: Sendable {
    let radio: RadioID
    var position: Position
    /// The weakest signal that the radio can follow, if it is another than usual.
    var sensitivity: SignalStrength?
    let phy: PHY
    /// Whether a frame is being received.
    var isLocked = false
    /// Whether it has left the list.
    fileprivate(set) var isGone = false
    let syncWord: UInt32
    let since: Instant
    let until: Instant
    /// What else a frame has to have; nil for nothing.
    let filter: FrameFilter?

    init(
        radio: RadioID,
        position: Position,
        phy: PHY,
        syncWord: UInt32,
        since: Instant,
        until: Instant,
        filter: FrameFilter?
    ) {
        self.radio = radio
        self.position = position
        self.phy = phy
        self.syncWord = syncWord
        self.since = since
        self.until = until
        self.filter = filter
    }

    /// Whether the radio is free, and the frame's sync word is one that it waits for and comes in time.
    func hears(_ frame: FrameOnAir) -> Bool { !isLocked && awaits(frame) }

    /// Whether the frame's sync word is one that the radio waits for and comes in time, no farther away than the root of
    /// `square`; the radio may be receiving another one.
    func awaits(_ frame: FrameOnAir, within square: UInt64) -> Bool {
        awaits(frame) && position.squaredDistance(to: frame.position) <= square
    }

    private func awaits(_ frame: FrameOnAir) -> Bool {
        syncWord == frame.syncWord && !isGone && phy == frame.phy && frame.start + Self.preamble >= since
            && frame.start <= until
    }

    /// One byte at 1 Msym/s, two at 2 Msym/s. Core 6.0, Vol 6, Part B, 2.1.1.
    static let preamble = TimeSpan.microseconds(8)
}

/// The listeners on a channel, in the order in which they began.
///
/// Nothing is searched: each radio knows its place in the list. One that leaves is marked, and the list is closed up when
/// most of it has left. Of many, those who are near are found by place.
struct ListenerList: Sendable {
    private var entries: [Listener] = []
    private var goneCount = 0
    /// Where those are that have not left; nil while there are few.
    private var places: PlaceIndex?

    private static let many = 64

    var indices: Range<Int> { entries.indices }
    /// How many places there are, those of radios that have left included.
    var placeCount: Int { entries.count }

    subscript(index: Int) -> Listener {
        get { entries[index] }
        _modify { yield &entries[index] }
    }

    /// Answers the place.
    mutating func append(_ listener: Listener) -> Int {
        entries.append(listener)
        if places != nil {
            places?.insert(entries.count - 1, at: listener.position)
        } else if entries.count > Self.many {
            indexPlaces()
        }
        return entries.count - 1
    }

    /// A radio is elsewhere.
    mutating func move(at index: Int, to position: Position) {
        places?.remove(index, at: entries[index].position)
        entries[index].position = position
        places?.insert(index, at: position)
    }

    /// Those who may be no farther from a place than `distance` in mm, in the order in which they began. False where they
    /// are so few that all can be looked at, or all of them are near.
    func find(near position: Position, distance: UInt64, into found: inout [Int]) -> Bool {
        places?.find(near: position, distance: distance, into: &found) ?? false
    }

    private mutating func indexPlaces() {
        var places = places.take() ?? PlaceIndex()
        guard entries.count - goneCount > Self.many / 2 else { return }
        places.removeAll()
        for index in entries.indices where !entries[index].isGone { places.insert(index, at: entries[index].position) }
        self.places = places
    }

    /// Whether the list is to be closed up now.
    mutating func remove(at index: Int) -> Bool {
        places?.remove(index, at: entries[index].position)
        entries[index].isGone = true
        goneCount += 1
        while let last = entries.last, last.isGone {
            entries.removeLast()
            goneCount -= 1
        }
        return goneCount > 8 && goneCount > entries.count / 2
    }

    /// Closes the list up and answers the new places.
    mutating func compact() -> [(index: Int, radio: RadioID)] {
        entries.removeAll { $0.isGone }
        goneCount = 0
        if places != nil { indexPlaces() }
        return entries.enumerated().map { ($0, $1.radio) }
    }
}
