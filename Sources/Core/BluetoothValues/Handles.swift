/// A connection's number on one controller, 0x0000 to 0x0EFF. Core 6.0, Vol 4, Part E, 5.3.1.
public struct ConnectionHandle: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init?(rawValue: UInt16) {
        guard rawValue <= 0x0EFF else { return nil }
        self.rawValue = rawValue
    }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ConnectionHandle: CustomStringConvertible {
    public var description: String { "0x" + String(rawValue, radix: 16, uppercase: true) }
}

/// An attribute's number in an ATT server, 0x0001 to 0xFFFF. Core 6.0, Vol 3, Part F, 3.2.2.
public struct AttributeHandle: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init?(rawValue: UInt16) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    public static let first = Self(exactly: 0x0001)
    public static let last = Self(exactly: 0xFFFF)

    /// The next handle; nil after the last.
    @inlinable
    public var next: Self? { Self(rawValue: rawValue &+ 1) }

    @usableFromInline
    init(exactly rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension AttributeHandle: ExpressibleByIntegerLiteral {
    /// Traps at zero, which is no handle.
    @inlinable
    public init(integerLiteral value: UInt16) {
        precondition(value != 0, "0x0000 is no attribute handle")
        self.init(exactly: value)
    }
}

extension AttributeHandle: CustomStringConvertible {
    /// `0x0023`
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
