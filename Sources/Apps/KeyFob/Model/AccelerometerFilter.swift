/// What the fob last said of its acceleration; it says no more until an axis has moved by more than five counts.
struct AccelerometerFilter: Sendable {
    static let threshold = 5

    /// Each axis as reported last. Kept as long as the fob has power, whether the sensor runs or not.
    private(set) var reported = Acceleration.zero

    /// Takes a sample and appends the notifications it is worth, X before Y before Z.
    mutating func sample(_ now: Acceleration, into effects: inout [KeyFobEffect]) {
        Self.compare(now.x, with: &reported.x, as: .x, into: &effects)
        Self.compare(now.y, with: &reported.y, as: .y, into: &effects)
        Self.compare(now.z, with: &reported.z, as: .z, into: &effects)
    }

    private static func compare(
        _ new: Int8,
        with last: inout Int8,
        as value: KeyFobValue,
        into effects: inout [KeyFobEffect]
    ) {
        guard abs(Int(new) - Int(last)) > threshold else { return }
        last = new
        effects.append(.notify(value, UInt8(bitPattern: new)))
    }
}
