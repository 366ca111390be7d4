/// The number of a service that is reached over L2CAP channels: "simplified protocol/service multiplexer".
/// Core 6.0, Vol 3, Part A, 4.22.
public struct SPSM: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    /// 0x0001 to 0x00FF; nil for other numbers.
    public init?(rawValue: UInt16) {
        guard (0x0001...0x00FF).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Numbers given out to services of the Bluetooth SIG, as in Assigned Numbers, 3.1.
    public static let fixedRange: ClosedRange<UInt16> = 0x0001...0x007F
    /// Numbers that a device gives out by itself, and announces to its peers over GATT.
    public static let dynamicRange: ClosedRange<UInt16> = 0x0080...0x00FF

    /// Whether the number has no meaning but what a device gave it.
    public var isDynamic: Bool { Self.dynamicRange.contains(rawValue) }
}

extension SPSM: CustomStringConvertible {
    /// `0x0080`
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
