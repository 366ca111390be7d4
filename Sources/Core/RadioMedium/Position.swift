/// Where a radio is, in whole millimetres on each axis: integers, so that every machine agrees on a distance.
public struct Position: Hashable, Sendable {
    public var x: Int32
    public var y: Int32
    public var z: Int32

    /// In millimetres; ±2 147 km on each axis.
    public init(x: Int32, y: Int32 = 0, z: Int32 = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    public static let origin = Self(x: 0)

    /// A place so many metres from the origin along the x axis, rounded to a millimetre and held within range.
    public static func metres(x: Double, y: Double = 0, z: Double = 0) -> Self {
        Self(x: millimetres(x), y: millimetres(y), z: millimetres(z))
    }

    /// The square of the distance in mm².
    @inlinable
    @inline(__always)
    package func squaredDistance(to other: Self) -> UInt64 {
        let dx = (Int64(x) - Int64(other.x)).magnitude
        let dy = (Int64(y) - Int64(other.y)).magnitude
        let dz = (Int64(z) - Int64(other.z)).magnitude
        let (partial, firstOverflow) = (dx * dx).addingReportingOverflow(dy * dy)
        let (sum, secondOverflow) = partial.addingReportingOverflow(dz * dz)
        return firstOverflow || secondOverflow ? .max : sum
    }

    private static func millimetres(_ metres: Double) -> Int32 {
        let millimetres = metres * 1_000
        if millimetres.isNaN { return 0 }
        let nearest = millimetres + (millimetres < 0 ? -0.5 : 0.5)
        return Int32(max(-2_147_483_648, min(2_147_483_647, nearest)))
    }
}
