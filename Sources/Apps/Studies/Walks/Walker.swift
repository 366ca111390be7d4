package import BluethroatRadioMedium
package import BluethroatVirtualTime

/// Somebody who walks through a rectangle: straight to a place drawn at random, then to the next (the "random waypoint" model
/// of mobility research, without pauses).
package struct Walker: Walk {
    /// In millimetres.
    private let size: (width: Int64, height: Int64)
    private let speed: Double
    private var random: SeededRandom
    private var target: (x: Double, y: Double)
    private var place: (x: Double, y: Double)

    /// - Parameters:
    ///   - side: the square's, in millimetres.
    ///   - speed: in metres a second.
    package init(side: Int64, speed: Double, random: SeededRandom) {
        self.init(width: side, height: side, speed: speed, random: random)
    }

    /// The same in a rectangle; sizes in millimetres.
    package init(width: Int64, height: Int64, speed: Double, random: SeededRandom) {
        size = (width, height)
        self.speed = speed
        self.random = random
        place = Self.draw(size, &self.random)
        target = Self.draw(size, &self.random)
    }

    package var position: Position { Position(x: Int32(place.x.rounded()), y: Int32(place.y.rounded())) }

    /// Goes on for so many seconds.
    package mutating func walk(for seconds: Double) {
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
            target = Self.draw(size, &random)
        }
    }

    private static func draw(_ size: (width: Int64, height: Int64), _ random: inout SeededRandom) -> (
        x: Double, y: Double
    ) {
        (Double(random.next(below: UInt64(size.width) + 1)), Double(random.next(below: UInt64(size.height) + 1)))
    }
}
