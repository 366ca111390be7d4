import BluethroatRadioMedium

/// Where a device is. Distances are from the origin, where the first phone stands unless it is moved.
public struct Place: Hashable, Sendable {
    let position: Position

    /// 30 cm away: about -24 dBm from a device that sends with 0 dBm.
    public static let immediate = metres(0.3)
    /// 3 m away: about -54 dBm.
    public static let near = metres(3)
    /// 25 m away: about -82 dBm, still without losses worth mentioning.
    public static let far = metres(25)
    /// 10 km away: nothing is heard.
    public static let outOfRange = metres(10_000)
    public static let origin = metres(0)

    /// So many metres from the origin along each axis, up to ±2 147 km.
    public static func metres(_ x: Double, y: Double = 0, z: Double = 0) -> Self {
        Self(position: .metres(x: x, y: y, z: z))
    }
}
