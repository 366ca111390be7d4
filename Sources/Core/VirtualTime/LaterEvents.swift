/// Events of a queue that are not due soon, in pages of about a millisecond: an event is put on its page in no order, and a
/// page is put in order when its time comes.
@usableFromInline
struct LaterEvents<Event> {
    @usableFromInline
    typealias Entry = EventQueue<Event>.Entry

    /// 2²⁰ ns.
    @inlinable
    static var pageBits: Int64 { 20 }
    /// About nine seconds.
    @inlinable
    static var pageCount: Int { 1 << 13 }

    /// For how many events a page has room at first.
    @inlinable
    static var leastCapacity: Int { 8 }

    @usableFromInline
    var pages: [[Entry]]
    /// The number of the first page, of all pages since the world began.
    @usableFromInline
    var first: Int64
    /// The number of the first page that is not there yet; now and then half of all pages are given new numbers.
    @usableFromInline
    var end: Int64
    /// What comes after the last page, in no order, and the least instant of it.
    @usableFromInline
    var beyond: [Entry] = []
    @usableFromInline
    var firstBeyond = Instant.distantFuture
    /// How many there are.
    @usableFromInline
    var count = 0

    /// - Parameter instant: nothing comes before it.
    @inlinable
    init(from instant: Instant) {
        pages = Array(repeating: [], count: Self.pageCount)
        first = Self.page(of: instant) + 1
        end = first + Int64(Self.pageCount)
    }

    /// When the first page begins.
    @inlinable
    var begin: Instant {
        first > Int64.max >> Self.pageBits ? .distantFuture : Instant(nanoseconds: first << Self.pageBits)
    }

    @inlinable
    static func page(of instant: Instant) -> Int64 { instant.nanoseconds >> pageBits }

    /// An event that is no earlier than `begin`.
    @inlinable
    mutating func insert(_ entry: Entry) {
        count += 1
        put(entry)
    }

    @inlinable
    mutating func put(_ entry: Entry) {
        let page = Self.page(of: entry.instant)
        if page < end {
            let place = Int(page & Int64(Self.pageCount - 1))
            // One that is filled event by event would be moved to larger storage again and again.
            if pages[place].isEmpty {
                let usual = (count - beyond.count) / (Self.pageCount / 2)
                pages[place].reserveCapacity(max(Self.leastCapacity, usual))
            }
            pages[place].append(entry)
        } else {
            beyond.append(entry)
            firstBeyond = min(firstBeyond, entry.instant)
        }
    }

    /// Fills an empty list with the events of the next page that has some, and begins after it. False where there are none.
    @inlinable
    mutating func takeNext(into list: inout [Entry]) -> Bool {
        guard count > 0 else { return false }
        // With nothing on any page the next ones are those of what comes then.
        if count == beyond.count { first = Self.page(of: firstBeyond) }
        while true {
            if end - first <= Int64(Self.pageCount / 2) { turnLeaves() }
            let page = Int(first & Int64(Self.pageCount - 1))
            first += 1
            guard !pages[page].isEmpty else { continue }
            count -= pages[page].count
            list.append(contentsOf: pages[page])
            // A page that is kept for its storage would keep that of the fullest one.
            pages[page] = []
            return true
        }
    }

    /// Gives numbers to pages that have none, and puts on them what is theirs.
    @inlinable
    mutating func turnLeaves() {
        end = first + Int64(Self.pageCount)
        guard Self.page(of: firstBeyond) < end else { return }
        var all: [Entry] = []
        swap(&all, &beyond)
        firstBeyond = .distantFuture
        for entry in all { put(entry) }
    }

    @inlinable
    mutating func removeAll(where isRemoved: (Entry) -> Bool) {
        for page in pages.indices where !pages[page].isEmpty { pages[page].removeAll(where: isRemoved) }
        beyond.removeAll(where: isRemoved)
        firstBeyond = beyond.lazy.map(\.instant).min() ?? .distantFuture
        count = beyond.count + pages.reduce(0) { $0 + $1.count }
    }
}

extension LaterEvents: Sendable where Event: Sendable {}
