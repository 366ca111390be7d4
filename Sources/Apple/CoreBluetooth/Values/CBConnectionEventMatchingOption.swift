/// By what an app chooses the connections whose events it wants.
public struct CBConnectionEventMatchingOption: Hashable, Equatable, RawRepresentable, @unchecked Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Peripherals with these identifiers: `[UUID]`.
    public static let peripheralUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
    /// Peripherals with one of these services, four at most: `[CBUUID]`.
    public static let serviceUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
}
