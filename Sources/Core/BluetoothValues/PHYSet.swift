/// Some of the PHYs, as a bit mask: LE 1M is bit 0, LE 2M bit 1, LE Coded bit 2.
/// Core 6.0, Vol 6, Part B, 2.4.2.22; the same bits in Vol 4, Part E, 7.8.48.
public struct PHYSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let le1M = Self(rawValue: 0x01)
    public static let le2M = Self(rawValue: 0x02)
    public static let leCoded = Self(rawValue: 0x04)

    /// The set of one PHY.
    @inlinable
    public init(_ phy: PHY) { rawValue = 1 << (phy.rawValue - 1) }

    @inlinable
    public func contains(_ phy: PHY) -> Bool { contains(Self(phy)) }

    /// The PHY that is alone in the set; nil for none, several or a reserved bit.
    public var only: PHY? {
        switch self {
        case .le1M: .le1M
        case .le2M: .le2M
        case .leCoded: .leCoded
        default: nil
        }
    }
}
