/// About how much devices cost a rank, for `RegionCut`.
package enum RegionWeights {
    package static let advertiser: UInt32 = 2

    /// One that listens: a report of a device in reach costs about three times what the device's advertising costs; the reach is
    /// 80 m.
    ///
    /// - Parameters:
    ///   - count: how many devices advertise.
    ///   - area: on how many square metres they are.
    package static func listener(among count: Int, on area: Double) -> UInt32 {
        let inReach = min(Double(count), Double(count) * 20_000 / max(area, 1e-6))
        return UInt32(2 + 6 * inReach)
    }
}
