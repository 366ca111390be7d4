/// What a field holds.
public enum FieldValue: Hashable, Sendable {
    case unsigned(UInt64)
    case signed(Int64)
    case bytes([UInt8])
    /// The values of a group's fields, for each time that the group is there.
    case groups([[FieldValue]])

    /// The number in the field; nil for bytes, for groups, and for what does not fit.
    public var number: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .signed(let value): value
        case .bytes, .groups: nil
        }
    }
}

/// A type whose values stand in a field of a packet.
public protocol FieldConvertible: SendableMetatype {
    /// Length and coding of such a field.
    static var fieldShape: FieldShape { get }
    /// The value as it stands in a field.
    var fieldValue: FieldValue { get }
    /// What a value of such a field means, in words; nil where the number says all.
    static func fieldMeaning(_ value: FieldValue) -> String?
}

extension FieldConvertible {
    public static func fieldMeaning(_ value: FieldValue) -> String? { nil }
}

extension FieldConvertible where Self: FixedWidthInteger {
    public static var fieldShape: FieldShape {
        isSigned ? .signed(bits: bitWidth) : .unsigned(bits: bitWidth)
    }

    public var fieldValue: FieldValue {
        Self.isSigned ? .signed(Int64(truncatingIfNeeded: self)) : .unsigned(UInt64(truncatingIfNeeded: self))
    }
}

extension UInt8: FieldConvertible {}
extension UInt16: FieldConvertible {}
extension UInt32: FieldConvertible {}
extension UInt64: FieldConvertible {}
extension Int8: FieldConvertible {}

extension Bool: FieldConvertible {
    /// One octet; a flag of a single bit says so where it is described.
    public static var fieldShape: FieldShape { .unsigned(bits: 8) }
    public var fieldValue: FieldValue { .unsigned(self ? 1 : 0) }
    public static func fieldMeaning(_ value: FieldValue) -> String? { value == .unsigned(0) ? "false" : "true" }
}

/// Enumerations, option sets and numbers with a meaning stand in a field as their raw value does.
extension FieldConvertible where Self: RawRepresentable, RawValue: FixedWidthInteger & FieldConvertible {
    public static var fieldShape: FieldShape { RawValue.fieldShape }
    public var fieldValue: FieldValue { rawValue.fieldValue }

    public static func fieldMeaning(_ value: FieldValue) -> String? {
        guard !(self is any OptionSet.Type), let number = value.number, let raw = RawValue(exactly: number) else {
            return nil
        }
        return Self(rawValue: raw).map { String(describing: $0) }
    }
}
