/// Numbers by place: the ground is cut into squares, so that those near a place are found without looking at all others.
struct PlaceIndex: Sendable {
    /// The side of a square in mm.
    private static let side: Int64 = 64_000
    /// As many columns and rows are kept apart, at most 64; those farther on share their lists with the first.
    private static let span: Int64 = 64
    /// Where a search goes over more squares than that, one by one is as good.
    private static let mostSquares: Int64 = 256

    private var lists: [[Int32]] = Array(repeating: [], count: Int(span * span))
    /// Which columns have numbers, or had some since all were removed; bit n is column n.
    private var columnsInUse: UInt64 = 0

    mutating func insert(_ number: Int, at position: Position) {
        let list = Self.list(of: position)
        lists[list].append(Int32(number))
        columnsInUse |= 1 << UInt64(list / Int(Self.span))
    }

    mutating func remove(_ number: Int, at position: Position) {
        let list = Self.list(of: position)
        guard let place = lists[list].firstIndex(of: Int32(number)) else { return }
        lists[list].remove(at: place)
        // A list that was long once is not kept for that.
        if lists[list].isEmpty, lists[list].capacity > Self.fewNumbers { lists[list] = [] }
    }

    private static let fewNumbers = 16

    mutating func removeAll() {
        while columnsInUse != 0 {
            let first = columnsInUse.trailingZeroBitCount * Int(Self.span)
            columnsInUse &= columnsInUse &- 1
            for list in first..<first + Int(Self.span) where !lists[list].isEmpty {
                lists[list].removeAll(keepingCapacity: lists[list].capacity <= Self.fewNumbers)
            }
        }
    }

    /// All numbers no farther away than `distance` in mm, and some that are farther, in ascending order. False where that
    /// would be too much of a search.
    func find(near position: Position, distance: UInt64, into found: inout [Int]) -> Bool {
        guard distance < UInt64(Self.side * Self.mostSquares) else { return false }
        let distance = Int64(distance)
        let columns = Self.column(Int64(position.x) - distance)...Self.column(Int64(position.x) + distance)
        let rows = Self.column(Int64(position.y) - distance)...Self.column(Int64(position.y) + distance)
        // There are as many columns as rows, or one more: so few that none has the list of another.
        guard Int64(columns.count) * Int64(rows.count) <= Self.mostSquares else { return false }
        for column in columns {
            for row in rows {
                for number in lists[Self.list(column, row)] { found.append(Int(number)) }
            }
        }
        found.sort()
        return true
    }

    private static func list(of position: Position) -> Int {
        list(column(Int64(position.x)), column(Int64(position.y)))
    }

    private static func list(_ column: Int64, _ row: Int64) -> Int {
        Int((column & (span - 1)) * span + (row & (span - 1)))
    }

    private static func column(_ coordinate: Int64) -> Int64 {
        coordinate >= 0 ? coordinate / side : -((side - 1 - coordinate) / side)
    }
}
