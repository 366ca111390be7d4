import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium
@testable import BluethroatSimulation

@Suite("The cells of a crowd's air")
struct CellGridTests {
    @Test("Whether all advertisers of a cell are near a place is what looking at each of them says", arguments: 0..<200)
    func within(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "cells")
        // A few metres, a town, and all there is.
        let span: UInt64 = [20_000, 2_000_000, 1 << 32][Int(seed % 3)]
        func place() -> Position {
            func coordinate() -> Int32 { Int32(clamping: Int64(random.next(below: span)) - Int64(span / 2)) }
            return Position(x: coordinate(), y: coordinate(), z: coordinate())
        }
        var cell = CellGrid.Cell()
        let here = place()
        #expect(cell.isWithin(0, of: here))
        var places: [Position] = []
        for _ in 0..<5 {
            places.append(place())
            cell.enclose(places[places.count - 1])
            let farthest = places.map { $0.squaredDistance(to: here) }.max() ?? 0
            // The corners of a box may be farther away than anybody in it, and never nearer.
            #expect(farthest == 0 || !cell.isWithin(farthest - 1, of: here))
            #expect(cell.isWithin(.max, of: here))
            if places.count == 1, farthest < .max { #expect(cell.isWithin(farthest, of: here)) }
        }
        let corners = (0..<8).map { bits in
            func edge(_ bit: Int, _ axis: (Position) -> Int32) -> Int32 {
                let all = places.map(axis)
                return bits & bit == 0 ? all.min()! : all.max()!
            }
            return Position(x: edge(1, \.x), y: edge(2, \.y), z: edge(4, \.z))
        }
        let reach = corners.map { $0.squaredDistance(to: here) }.max()!
        #expect(cell.isWithin(reach, of: here) && (reach == 0 || !cell.isWithin(reach - 1, of: here)))
    }

    @Test("The cells of a circle inside another one are found in its list", arguments: 0..<100)
    func rectangles(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "rectangles of cells")
        var grid = CellGrid(reach: 100_000 + random.next(below: 200_000))
        let here = Position(x: Int32(random.next(below: 2_000_000)) - 1_000_000, y: Int32(random.next(below: 900_000)))
        let far = 100_000 + random.next(below: 500_000), near = random.next(below: far + 1)
        let all = grid.range(around: here, reach: far), some = grid.range(around: here, reach: near)
        let cells = grid.indices(of: all), wanted = grid.indices(of: some)
        #expect(cells.count == all.width * all.height && Set(cells).count == cells.count)
        let both = all.intersection(some)
        #expect(both == some)
        var found: [Int] = []
        for column in both.columns {
            for row in both.rows { found.append(cells[all.place(column: column, row: row)]) }
        }
        #expect(found == wanted)
    }

    @Test("Each event of a cell keeps its number, however many come and go")
    func numbers() {
        var grid = CellGrid(reach: 100_000)
        let cell = grid.cell(at: .origin)
        func note(_ count: Int, at instant: Instant, over: Instant) {
            for number in 0..<count {
                let advertiser = UInt32(number)
                grid.note(
                    CellGrid.Recent(advertiser: advertiser, position: .origin, noticed: instant, end: instant),
                    in: cell,
                    over: over
                )
            }
        }
        note(28, at: .zero, over: .zero)
        let now = Instant.zero + .milliseconds(10)
        note(4, at: now, over: now)
        let last = grid[cell].passed + grid[cell].recent.count - 1
        #expect(last == 31 && grid[cell].event(27, since: now) == nil && grid[cell].event(27, since: .zero) != nil)
        // One more, and the old ones go.
        note(1, at: now, over: now)
        #expect(grid[cell].recent.count == 5 && grid[cell].passed == 28)
        #expect((28...32).allSatisfy { grid[cell].event($0, since: now) != nil })
        #expect(grid[cell].event(27, since: .zero) == nil)
        #expect(grid.noticed[cell] == now && grid.latest[cell].before == now)
    }
}
