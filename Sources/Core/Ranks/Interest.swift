import BluethroatByteCoding
import BluethroatRadioMedium

/// Where frames begin that matter to the devices of a rank: squares of a grid.
struct Interest: Sendable {
    /// A square, by its column and its row.
    struct Square: Hashable, Comparable, Sendable {
        let column: Int32
        let row: Int32

        static func < (left: Self, right: Self) -> Bool { (left.row, left.column) < (right.row, right.column) }
    }

    /// The squares; nil for everywhere.
    var squares: Set<Square>?

    static let everywhere = Self(squares: nil)

    func contains(_ square: Square) -> Bool { squares?.contains(square) ?? true }

    func meets(_ other: Interest) -> Bool {
        guard let squares else { return other.squares?.isEmpty != true }
        guard let others = other.squares else { return !squares.isEmpty }
        return !squares.isDisjoint(with: others)
    }

    /// 0 for everywhere; else 1, how many squares there are, and their columns and rows.
    var bytes: [UInt8] {
        guard let squares else { return [0] }
        var bytes: [UInt8] = [1]
        bytes.reserveCapacity(5 + 8 * squares.count)
        bytes.appendUInt32(UInt32(squares.count))
        for square in squares.sorted() {
            bytes.appendUInt32(UInt32(bitPattern: square.column))
            bytes.appendUInt32(UInt32(bitPattern: square.row))
        }
        return bytes
    }

    init(squares: Set<Square>? = []) { self.squares = squares }

    init(bytes: [UInt8]) throws(DecodeError) {
        var span = bytes.span.bytes
        try self.init(parsing: &span)
        try span.expectEnd()
    }

    init(parsing span: inout RawSpan) throws(DecodeError) {
        switch try span.takeUInt8() {
        case 0: squares = nil
        case 1:
            var squares: Set<Square> = []
            for _ in 0..<(try span.takeUInt32()) {
                let column = try span.takeUInt32(), row = try span.takeUInt32()
                squares.insert(Square(column: Int32(bitPattern: column), row: Int32(bitPattern: row)))
            }
            self.squares = squares
        case let kind: throw .invalidValue(field: "kind of interest", value: Int(kind))
        }
    }
}

/// The squares in which the devices of a rank are, and those around them that matter.
struct Habitat {
    /// How many squares around its own matter to a device.
    private static let rings: Int32 = 4

    /// In millimetres; nil if no distance is too great to matter.
    private let side: Int64?
    private var counts: [Interest.Square: Int] = [:]
    /// Whether a device has come into a square around which not everything is known to the others to matter.
    private(set) var hasGrown = true
    private var told = Interest()

    /// - Parameter reach: how far away what matters to a device can begin, in millimetres.
    init(reach: Int64?) { side = reach.map { max(1, ($0 + Int64(Self.rings) - 1) / Int64(Self.rings)) } }

    func square(of place: Position) -> Interest.Square {
        guard let side else { return Interest.Square(column: 0, row: 0) }
        func index(_ coordinate: Int32) -> Int32 {
            Int32(truncatingIfNeeded: (Int64(coordinate) - (coordinate < 0 ? side - 1 : 0)) / side)
        }
        return Interest.Square(column: index(place.x), row: index(place.y))
    }

    mutating func enter(_ place: Position) {
        let square = square(of: place)
        counts[square, default: 0] += 1
        guard !hasGrown, counts[square] == 1, let squares = told.squares else { return }
        hasGrown = !surroundings(of: square).allSatisfy(squares.contains)
    }

    mutating func leave(_ place: Position) {
        let square = square(of: place)
        guard let count = counts[square] else { return }
        counts[square] = count > 1 ? count - 1 : nil
    }

    /// What the others are to be told.
    mutating func interest() -> Interest {
        hasGrown = false
        told = side == nil && !counts.isEmpty ? .everywhere : Interest(squares: Set(counts.keys.flatMap(surroundings)))
        return told
    }

    private func surroundings(of square: Interest.Square) -> [Interest.Square] {
        (square.column - Self.rings...square.column + Self.rings).flatMap { column in
            (square.row - Self.rings...square.row + Self.rings).map { Interest.Square(column: column, row: $0) }
        }
    }

    /// The rectangles that hold all places of an interest in which there was none before, by two corners.
    func areas(of interest: Interest, without old: Interest) -> [(low: Position, high: Position)] {
        guard let squares = interest.squares, let side else {
            return interest.squares?.isEmpty == true ? [] : [(Position(x: .min, y: .min), Position(x: .max, y: .max))]
        }
        let known = old.squares ?? []
        return squares.filter { !known.contains($0) }.sorted().map { corners(of: $0, side) }
    }

    private func corners(of square: Interest.Square, _ side: Int64) -> (low: Position, high: Position) {
        func corner(_ columns: Int64, _ rows: Int64) -> Position {
            Position(
                x: Int32(clamping: (Int64(square.column) + columns) * side),
                y: Int32(clamping: (Int64(square.row) + rows) * side)
            )
        }
        return (corner(0, 0), corner(1, 1))
    }
}
