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

    func contains(_ square: Square) -> Bool { squares?.contains(square) ?? true }

    func meets(_ other: Interest) -> Bool {
        guard let squares else { return other.squares?.isEmpty != true }
        guard let others = other.squares else { return !squares.isEmpty }
        return !squares.isDisjoint(with: others)
    }

    var bytes: [UInt8] {
        guard let squares else { return [0] }
        var bytes: [UInt8] = [1]
        bytes.reserveCapacity(1 + 8 * squares.count)
        for square in squares.sorted() {
            bytes.appendUInt32(UInt32(bitPattern: square.column))
            bytes.appendUInt32(UInt32(bitPattern: square.row))
        }
        return bytes
    }

    init(squares: Set<Square>? = []) { self.squares = squares }

    init(bytes: [UInt8]) throws(DecodeError) {
        var span = bytes.span.bytes
        let kind = try span.takeUInt8()
        guard kind == 1 else {
            try span.expectEnd()
            squares = nil
            return
        }
        var squares: Set<Square> = []
        while span.byteCount > 0 {
            let column = try span.takeUInt32(), row = try span.takeUInt32()
            squares.insert(Square(column: Int32(bitPattern: column), row: Int32(bitPattern: row)))
        }
        self.squares = squares
    }
}

/// The squares in which the devices of a rank are, and those around them that matter.
struct Habitat {
    /// How many squares around its own matter to a device.
    private static let rings: Int32 = 4

    /// In millimetres; nil if no distance is too great to matter.
    private let side: Int64?
    private var counts: [Interest.Square: Int] = [:]
    /// Whether a device has come into a square that had none when the others were told.
    private(set) var hasGrown = true
    private var known: Set<Interest.Square> = []

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
        if !hasGrown, !known.contains(square) { hasGrown = true }
    }

    mutating func leave(_ place: Position) {
        let square = square(of: place)
        guard let count = counts[square] else { return }
        counts[square] = count > 1 ? count - 1 : nil
    }

    /// What the others are to be told.
    mutating func interest() -> Interest {
        hasGrown = false
        known = Set(counts.keys)
        guard side != nil else { return Interest(squares: counts.isEmpty ? [] : nil) }
        var squares: Set<Interest.Square> = []
        for square in known {
            for column in square.column - Self.rings...square.column + Self.rings {
                for row in square.row - Self.rings...square.row + Self.rings {
                    squares.insert(Interest.Square(column: column, row: row))
                }
            }
        }
        return Interest(squares: squares)
    }
}
