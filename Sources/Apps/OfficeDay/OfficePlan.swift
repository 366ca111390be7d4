import BluethroatRadioMedium

/// An office with a door, and desks in rows of ten.
public struct OfficePlan: Equatable, Sendable {
    public var desks: Int
    public var people: Int
    /// From the first arrival to the last person's leaving for home, in seconds.
    public var seconds: Double

    /// - Parameters:
    ///   - desks: 1 to 500.
    ///   - people: as many as there are desks, or fewer.
    ///   - seconds: 60 or more.
    public init?(desks: Int = 50, people: Int = 50, seconds: Double = 120) {
        guard (1...500).contains(desks), (1...desks).contains(people), (60...86_400).contains(seconds) else {
            return nil
        }
        (self.desks, self.people, self.seconds) = (desks, people, seconds)
    }

    /// Where people come in, and where a phone is far from every desk.
    static let door = Point(x: -25, y: 0)

    /// A place on the floor, in metres.
    struct Point: Equatable {
        var x: Double
        var y: Double

        var position: Position { .metres(x: x, y: y) }

        func distance(to other: Self) -> Double {
            ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
        }

        /// So many metres on the way to another place.
        func moved(towards other: Self, by metres: Double) -> Self {
            let distance = distance(to: other)
            guard distance > metres else { return other }
            let share = metres / distance
            return Self(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
        }
    }

    func desk(_ number: Int) -> Point { Point(x: Double(number % 10) * 2.5, y: Double(number / 10) * 3) }

    /// Where a person sits at a desk: most of a metre from it.
    func chair(_ number: Int) -> Point { Point(x: desk(number).x, y: desk(number).y + 0.7) }
}
