package import BluethroatRadioMedium
package import BluethroatVirtualTime

/// Somebody who walks along streets that cross at right angles, the same distance apart: at each crossing straight on with a
/// probability of one half, to the left or right with one quarter each, of those that stay in the area (the "Manhattan"
/// model of mobility research).
package struct StreetWalker: Walk {
    /// How many blocks there are in each direction.
    private let blocks: (x: Int, y: Int)
    /// In millimetres.
    private let block: Double
    private let speed: Double
    private var random: SeededRandom
    /// The crossing that was left last, and the direction.
    private var crossing: (x: Int, y: Int)
    private var heading: (x: Int, y: Int)
    /// How far it is from that crossing, in millimetres.
    private var passed: Double

    /// - Parameters:
    ///   - width: of the area, in millimetres; what is left over behind the last street is never entered.
    ///   - block: distance of streets, in millimetres.
    ///   - speed: in metres a second.
    package init(width: Int64, height: Int64, block: Int64, speed: Double, random: SeededRandom) {
        let block = max(1, min(block, max(width, height)))
        blocks = (Int(width / block), Int(height / block))
        self.block = Double(block)
        self.speed = speed
        self.random = random
        crossing = (
            Int(self.random.next(below: UInt64(blocks.x) + 1)), Int(self.random.next(below: UInt64(blocks.y) + 1))
        )
        heading = (0, 0)
        passed = 0
        turn()
        passed = Double(self.random.next(below: UInt64(block)))
    }

    package var position: Position {
        let x = Double(crossing.x) * block + Double(heading.x) * passed
        let y = Double(crossing.y) * block + Double(heading.y) * passed
        return Position(x: Int32(clamping: Int64(x.rounded())), y: Int32(clamping: Int64(y.rounded())))
    }

    package mutating func walk(for seconds: Double) {
        passed += max(0, speed) * 1_000 * seconds
        while passed >= block {
            passed -= block
            crossing = (crossing.x + heading.x, crossing.y + heading.y)
            turn()
        }
    }

    private mutating func turn() {
        let sides = [(-heading.y, heading.x), (heading.y, -heading.x)]
        // Twice: as likely as both sides together.
        var ways = heading == (0, 0) ? [(1, 0), (0, 1), (-1, 0), (0, -1)] : [heading, heading] + sides
        ways = ways.filter(isInside)
        if ways.isEmpty { ways = [(-heading.x, -heading.y)].filter(isInside) }
        heading = ways.isEmpty ? (0, 0) : ways[Int(random.next(below: UInt64(ways.count)))]
    }

    private func isInside(_ way: (Int, Int)) -> Bool {
        (0...blocks.x).contains(crossing.x + way.0) && (0...blocks.y).contains(crossing.y + way.1)
    }
}
