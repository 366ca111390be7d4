import BluethroatByteCoding

/// A company's number, as in manufacturer specific data and in controllers' version information.
/// Assigned Numbers, 7.
public struct CompanyIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let texasInstruments = Self(rawValue: 0x000D)
    public static let apple = Self(rawValue: 0x004C)
    public static let nordicSemiconductor = Self(rawValue: 0x0059)
    /// No company has this number. It is for tests, and for controllers that no host should take for a known maker's.
    public static let none = Self(rawValue: 0xFFFF)

    /// The company's name; nil if the number was not assigned when the table was made.
    public var name: String? { Self.names.name(of: rawValue) }
}

extension CompanyIdentifier: CustomStringConvertible {
    /// The name, or the number: `company 0x1234`.
    public var description: String {
        name ?? "company 0x" + [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hex.uppercased()
    }
}
