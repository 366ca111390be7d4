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
}
