/// A place in a `Table` of such elements, and in no other table.
///
/// Where an element is removed, those behind it move up: an index holds until then.
struct TableIndex<Element>: Hashable, Comparable, Strideable, Sendable {
    fileprivate let position: Int

    fileprivate init(_ position: Int) { self.position = position }

    static func < (left: Self, right: Self) -> Bool { left.position < right.position }

    func distance(to other: Self) -> Int { other.position - position }

    func advanced(by count: Int) -> Self { Self(position + count) }
}

/// An array whose indices are a type of their own, so that a peer's index cannot find a link.
struct Table<Element>: RandomAccessCollection, MutableCollection {
    typealias Index = TableIndex<Element>
    typealias Indices = Range<TableIndex<Element>>

    private var elements: [Element] = []

    var startIndex: Index { Index(0) }
    var endIndex: Index { Index(elements.count) }
    var indices: Indices { startIndex..<endIndex }

    // `get` and not `_read`, for the reason given at the Host's `SecurityLayer`.
    subscript(index: Index) -> Element {
        get { elements[index.position] }
        _modify { yield &elements[index.position] }
    }

    /// Where the new element is.
    @discardableResult
    mutating func append(_ element: Element) -> Index {
        elements.append(element)
        return Index(elements.count - 1)
    }

    @discardableResult
    mutating func remove(at index: Index) -> Element { elements.remove(at: index.position) }

    mutating func removeAll() { elements = [] }

    mutating func removeAll(where isMeant: (Element) throws -> Bool) rethrows { try elements.removeAll(where: isMeant) }
}
