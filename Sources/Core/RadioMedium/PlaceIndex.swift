/// Numbers by place: the ground is cut into squares, so that those near a place are found without looking at all others.
struct PlaceIndex: Sendable {
    /// The side of a square in mm.
    private static let side: Int64 = 64_000
    /// Where a search goes over more squares than that, one by one is as good.
    private static let mostSquares: Int64 = 256

    private struct Square: Hashable {
        let column: Int32
        let row: Int32
    }

    private var squares: [Square: [Int32]] = [:]

    mutating func insert(_ number: Int, at position: Position) {
        squares[Self.square(position), default: []].append(Int32(number))
    }

    mutating func remove(_ number: Int, at position: Position) {
        let square = Self.square(position)
        guard let place = squares[square]?.firstIndex(of: Int32(number)) else { return }
        squares[square]?.remove(at: place)
        // Nobody may come there again.
        if squares[square]?.isEmpty == true { squares[square] = nil }
    }

    /// All numbers no farther away than `distance` in mm, and some that are farther, in ascending order. False where that
    /// would be too much of a search.
    func find(near position: Position, distance: UInt64, into found: inout [Int]) -> Bool {
        guard distance < UInt64(Self.side * Self.mostSquares) else { return false }
        let distance = Int64(distance)
        let columns = Self.column(Int64(position.x) - distance)...Self.column(Int64(position.x) + distance)
        let rows = Self.column(Int64(position.y) - distance)...Self.column(Int64(position.y) + distance)
        guard Int64(columns.count) * Int64(rows.count) <= Self.mostSquares else { return false }
        for column in columns {
            for row in rows {
                guard let numbers = squares[Square(column: column, row: row)] else { continue }
                for number in numbers { found.append(Int(number)) }
            }
        }
        found.sort()
        return true
    }

    private static func square(_ position: Position) -> Square {
        Square(column: column(Int64(position.x)), row: column(Int64(position.y)))
    }

    private static func column(_ coordinate: Int64) -> Int32 {
        Int32(coordinate >= 0 ? coordinate / side : -((side - 1 - coordinate) / side))
    }
}
