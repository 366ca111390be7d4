/// How far apart two radios may be at most for a signal to lose no more than so many decibels on its way, whatever the
/// shadowing between them. In a wide place this decides about most pairs, without a logarithm.
struct Reach: Sendable {
    private let propagation: Propagation
    /// Squares of distances in mm², by the loss; filled as they are asked for.
    private var squares = [UInt64?](repeating: nil, count: mostLoss + 1)

    /// More than any signal can lose: a receiver's sensitivity and a transmitter's power are bytes.
    private static let mostLoss = 511

    init(_ propagation: Propagation) { self.propagation = propagation }

    /// Whether more than `loss` decibels are lost for certain. False if that has to be computed.
    mutating func isBeyond(_ squaredDistance: UInt64, losing loss: Int) -> Bool {
        guard loss >= 0 else { return false }
        let place = min(loss, Self.mostLoss)
        if let square = squares[place] { return squaredDistance > square }
        let square = propagation.greatestSquaredDistance(losing: place)
        squares[place] = square
        return squaredDistance > square
    }
}

extension Propagation {
    /// The square of the greatest distance at which a pair may lose no more than so many decibels.
    func greatestSquaredDistance(losing loss: Int) -> UInt64 {
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
