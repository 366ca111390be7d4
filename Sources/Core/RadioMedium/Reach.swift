/// How far apart two radios may be at most for a signal to lose no more than so many decibels on its way, whatever the
/// shadowing between them. In a wide place this decides about most pairs, without a logarithm.
package struct Reach: Sendable {
    private let propagation: Propagation
    /// Squares of distances in mm², by the loss; filled as they are asked for.
    private var squares = [UInt64?](repeating: nil, count: mostLoss + 1)

    /// Distances in mm, by the loss.
    private var distances = [UInt64?](repeating: nil, count: mostLoss + 1)

    /// More than any signal can lose: a receiver's sensitivity and a transmitter's power are bytes.
    private static let mostLoss = 511

    init(_ propagation: Propagation) { self.propagation = propagation }

    /// How far a signal may get at most that loses no more than `loss` decibels, in mm, rounded up; `.max` for any distance.
    mutating func greatestDistance(losing loss: Int) -> UInt64 {
        guard loss >= 0 else { return .max }
        let place = min(loss, Self.mostLoss)
        if let distance = distances[place] { return distance }
        let square = greatestSquaredDistance(losing: place)
        let distance = square == .max ? .max : Self.root(square)
        distances[place] = distance
        return distance
    }

    /// The square of that distance, in mm².
    mutating func greatestSquaredDistance(losing loss: Int) -> UInt64 {
        guard loss >= 0 else { return .max }
        let place = min(loss, Self.mostLoss)
        if let square = squares[place] { return square }
        let square = propagation.greatestSquaredDistance(losing: place)
        squares[place] = square
        return square
    }

    /// The least whole number whose square is no less.
    package static func root(_ square: UInt64) -> UInt64 {
        guard square > 0 else { return 0 }
        var low: UInt64 = 0, high: UInt64 = 1 << 32
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if middle * middle < square { low = middle } else { high = middle }
        }
        return high
    }

    /// Whether more than `loss` decibels are lost for certain. False if that has to be computed.
    mutating func isBeyond(_ squaredDistance: UInt64, losing loss: Int) -> Bool {
        squaredDistance > greatestSquaredDistance(losing: loss)
    }
}

extension Propagation {
    /// The square of the greatest distance at which a pair may lose no more than so many decibels.
    package func greatestSquaredDistance(losing loss: Int) -> UInt64 {
        // Where signals gain on their way, or cannot get weaker, no distance is too great.
        guard exponentTenths > 0, leastLoss(atSquaredDistance: .max) > loss else { return .max }
        var near: UInt64 = 0, far = UInt64.max
        while far - near > 1 {
            let middle = near + (far - near) / 2
            if leastLoss(atSquaredDistance: middle) > loss { far = middle } else { near = middle }
        }
        return near
    }
}
