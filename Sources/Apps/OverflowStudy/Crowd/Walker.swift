import BluethroatRadioMedium
import BluethroatVirtualTime

/// A person who walks through a square: straight to a place drawn at random, then to the next.
struct Walker {
    /// In millimetres.
    private let side: Int64
    private let speed: Double
    private var random: SeededRandom
    private var target: (x: Double, y: Double)
    private var place: (x: Double, y: Double)

    /// - Parameters:
    ///   - side: the square's, in millimetres.
    ///   - speed: in metres a second.
    init(side: Int64, speed: Double, random: SeededRandom) {
        self.side = side
        self.speed = speed
        self.random = random
        place = Self.draw(side, &self.random)
        target = Self.draw(side, &self.random)
    }

    var position: Position { Position(x: Int32(place.x.rounded()), y: Int32(place.y.rounded())) }

    /// Goes on for so many seconds.
    mutating func walk(for seconds: Double) {
        guard speed > 0 else { return }
        var left = speed * 1_000 * seconds
        while left > 0 {
            let way = (x: target.x - place.x, y: target.y - place.y)
            let distance = (way.x * way.x + way.y * way.y).squareRoot()
            guard distance <= left else {
                place.x += way.x / distance * left
                place.y += way.y / distance * left
                return
            }
            // At least a millimetre, so that a square of nearly no size has an end of corners, too.
            left -= max(distance, 1)
            place = target
            target = Self.draw(side, &random)
        }
    }

    private static func draw(_ side: Int64, _ random: inout SeededRandom) -> (x: Double, y: Double) {
        let bound = UInt64(side) + 1
        return (Double(random.next(below: bound)), Double(random.next(below: bound)))
    }
}
