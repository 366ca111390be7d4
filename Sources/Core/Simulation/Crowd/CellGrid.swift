import BluethroatRadioMedium
import BluethroatVirtualTime

/// The ground cut into squares, so that those who are near are found by place.
struct CellGrid {
    struct Cell {
        /// Advertisers in it, by their radios' places; those included whose devices have their advertising at the moment.
        var advertisers: [UInt32] = []
        /// Hearers that reach it, by their slots.
        var hearers: [UInt32] = []
        /// How many of these do what a script says.
        var scripted = 0
        /// Advertisers whose events began lately, in the order in which that was noticed; some may be over, or have left the
        /// cell.
        private(set) var recent: [Recent] = []
        /// How many were taken out: each keeps its number.
        private(set) var passed = 0
        /// How many of these there may be before those that are over are taken out.
        private var mostRecent = 32
        /// All its advertisers are, or were, between these corners.
        private var low = Position(x: .max, y: .max, z: .max)
        private var high = Position(x: .min, y: .min, z: .min)

        /// An advertiser is here.
        mutating func enclose(_ place: Position) {
            low = Position(x: min(low.x, place.x), y: min(low.y, place.y), z: min(low.z, place.z))
            high = Position(x: max(high.x, place.x), y: max(high.y, place.y), z: max(high.z, place.z))
        }

        /// Whether none of its advertisers is farther away from a place, by the square of the distance in mm².
        func isWithin(_ square: UInt64, of place: Position) -> Bool {
            guard low.x <= high.x else { return true }
            // The corner that is farthest away.
            func farthest(_ low: Int32, _ here: Int32, _ high: Int32) -> Int32 {
                Int64(here) - Int64(low) > Int64(high) - Int64(here) ? low : high
            }
            let corner = Position(
                x: farthest(low.x, place.x, high.x),
                y: farthest(low.y, place.y, high.y),
                z: farthest(low.z, place.z, high.z)
            )
            return corner.squaredDistance(to: place) <= square
        }

        /// The event with a number, of those that are there still; nil if it has gone, or was noticed before an instant.
        func event(_ number: Int, since over: Instant) -> Recent? {
            guard number >= passed, recent[number - passed].noticed >= over else { return nil }
            return recent[number - passed]
        }

        fileprivate mutating func note(_ event: Recent, over: Instant) {
            if recent.count >= mostRecent {
                let old = recent.firstIndex { $0.noticed >= over } ?? recent.endIndex
                recent.removeSubrange(..<old)
                passed += old
                mostRecent = max(32, 2 * recent.count)
            }
            recent.append(event)
        }
    }

    /// An advertiser's event that began lately, with what shows for most that they do not matter, without the advertiser.
    struct Recent {
        let advertiser: UInt32
        /// Where it was.
        let position: Position
        let noticed: Instant
        /// When the event is over.
        let end: Instant
    }

    /// The last event of a cell, and when the one before it was noticed.
    struct Latest {
        var event = Recent(advertiser: .max, position: .origin, noticed: .longAgo, end: .longAgo)
        var before = Instant.longAgo
    }

    /// The side of a cell in mm.
    let side: Int64
    private(set) var cells: [Cell] = []
    /// When an event was last noticed in each cell. In a list of its own: a search reads it for some 25 cells.
    private(set) var noticed: [Instant] = []
    /// What was noticed last in each cell. In a list of its own, too: most cells have no other event that matters.
    private(set) var latest: [Latest] = []
    private var places: [Square: Int] = [:]
    /// The cells that were asked for lately, so that most are found without hashing; by the low bits of column and row.
    private var found: [Found] = []

    private struct Square: Hashable {
        let column: Int32
        let row: Int32

        var slot: Int { Int(column & 127) << 7 | Int(row & 127) }
    }

    private struct Found {
        var square = Square(column: .min, row: .min)
        var place: UInt32 = 0
    }

    /// - Parameter reach: how far it is to the end of a hearer's reach, in mm.
    init(reach: UInt64) {
        // A few cells for each hearer; one for all where reach has no end.
        side = Int64(min(max(reach / 2, 10_000), 1 << 33))
    }

    subscript(index: Int) -> Cell {
        _read { yield cells[index] }
        _modify { yield &cells[index] }
    }

    /// An advertiser's event has begun in a cell. Those noticed before `over` do not matter any more.
    mutating func note(_ event: Recent, in cell: Int, over: Instant) {
        cells[cell].note(event, over: over)
        latest[cell] = Latest(event: event, before: noticed[cell])
        noticed[cell] = event.noticed
    }

    /// The cell of a place; made when first asked for.
    mutating func cell(at position: Position) -> Int {
        cell(Square(column: column(Int64(position.x)), row: column(Int64(position.y))))
    }

    /// The cells that a circle touches.
    func range(around position: Position, reach: UInt64) -> CellRange {
        let reach = Int64(min(reach, 1 << 33))
        return CellRange(
            columns: column(Int64(position.x) - reach)...column(Int64(position.x) + reach),
            rows: column(Int64(position.y) - reach)...column(Int64(position.y) + reach)
        )
    }

    /// The cells between two corners that were made.
    func known(from low: Position, to high: Position) -> [Int] {
        let columns = column(Int64(low.x))...column(Int64(high.x)), rows = column(Int64(low.y))...column(Int64(high.y))
        return columns.flatMap { column in rows.compactMap { places[Square(column: column, row: $0)] } }
    }

    mutating func indices(of range: CellRange) -> [Int] {
        var indices: [Int] = []
        for column in range.columns {
            for row in range.rows { indices.append(cell(Square(column: column, row: row))) }
        }
        return indices
    }

    private mutating func cell(_ square: Square) -> Int {
        if found.isEmpty { found = Array(repeating: Found(), count: 1 << 14) }
        let slot = square.slot
        if found[slot].square == square { return Int(found[slot].place) }
        let place = places[square] ?? cells.count
        if place == cells.count {
            cells.append(Cell())
            noticed.append(.longAgo)
            latest.append(Latest())
            places[square] = place
        }
        found[slot] = Found(square: square, place: UInt32(place))
        return place
    }

    private func column(_ coordinate: Int64) -> Int32 {
        Int32(coordinate >= 0 ? coordinate / side : -((side - 1 - coordinate) / side))
    }
}

extension Instant {
    /// Before all that is noticed, with room for what is added to it or taken away.
    fileprivate static let longAgo = Instant(nanoseconds: .min / 2)
}

/// A rectangle of cells.
struct CellRange: Equatable {
    let columns: ClosedRange<Int32>
    let rows: ClosedRange<Int32>

    var width: Int { Int(columns.upperBound) - Int(columns.lowerBound) + 1 }
    var height: Int { Int(rows.upperBound) - Int(rows.lowerBound) + 1 }

    /// Those of its cells that are in another rectangle, too.
    func intersection(_ other: Self) -> Self {
        Self(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }

    /// The smallest rectangle that has both in it.
    func union(_ other: Self) -> Self {
        func hull(_ one: ClosedRange<Int32>, _ other: ClosedRange<Int32>) -> ClosedRange<Int32> {
            min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
        }
        return Self(columns: hull(columns, other.columns), rows: hull(rows, other.rows))
    }

    /// The place of a cell in a list of all of them, column by column.
    func place(column: Int32, row: Int32) -> Int {
        Int(column - columns.lowerBound) * height + Int(row - rows.lowerBound)
    }
}
