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

/// A value for each element of a `Table` from which nothing is removed, found by its index. An element that takes another one's
/// place has to have its value reset.
struct TableColumn<Element, Value> {
    private var values: [Value] = []
    /// The value of those to which none was given.
    private let usual: Value

    init(usual: Value) { self.usual = usual }

    subscript(index: TableIndex<Element>) -> Value {
        get { index.position < values.count ? values[index.position] : usual }
        _modify {
            while values.count <= index.position { values.append(usual) }
            yield &values[index.position]
        }
    }

    /// The value is that of an element to which none was given.
    mutating func reset(_ index: TableIndex<Element>) {
        if index.position < values.count { values[index.position] = usual }
    }

    mutating func changeAll(_ change: (inout Value) -> Void) {
        for position in values.indices { change(&values[position]) }
    }
}
