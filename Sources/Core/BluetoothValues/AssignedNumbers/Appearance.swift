import BluethroatByteCoding

/// What a device looks like to its user: 10 bits of category and 6 of subcategory. Assigned Numbers, 2.6.
public struct Appearance: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let unknown = Self(rawValue: 0x0000)
    public static let phone = Self(rawValue: 0x0040)
    public static let keyring = Self(rawValue: 0x0240)

    /// The same without subcategory.
    @inlinable
    public var category: Appearance { Appearance(rawValue: rawValue & 0xFFC0) }

    /// The subcategory's name, or the category's; nil if neither has one.
    public var name: String? { Self.names.name(of: rawValue) ?? Self.names.name(of: category.rawValue) }
}

extension Appearance: CustomStringConvertible {
    /// The name, or the number: `appearance 0x1234`.
    public var description: String {
        name ?? "appearance 0x" + [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hex.uppercased()
    }
}
