/// One field of a packet as the Core Specification describes it: name, place, unit and what its values mean.
///
/// A list of descriptions is enough to take a packet of this kind apart: `[FieldDescription].read(_:)`. Decoders of
/// packets don't use it; tests hold both to each other.
public struct FieldDescription: Sendable {
    /// The name in the Core Specification.
    public let name: String
    /// The field's length and how its value is coded. A field begins where the one before it ends.
    public let shape: FieldShape
    /// What the number counts; nil for numbers that count nothing.
    public let unit: FieldUnit?
    /// What a value means, in words; nil where the number says all.
    public let meaning: @Sendable (FieldValue) -> String?

    public init(
        _ name: String,
        _ shape: FieldShape,
        unit: FieldUnit? = nil,
        meaning: @escaping @Sendable (FieldValue) -> String? = { _ in nil }
    ) {
        self.name = name
        self.shape = shape
        self.unit = unit
        self.meaning = meaning
    }

    /// A description of a field that holds values of a type.
    public init<Value: FieldConvertible>(_ name: String, _ type: Value.Type, unit: FieldUnit? = nil) {
        self.init(name, Value.fieldShape, unit: unit) { Value.fieldMeaning($0) }
    }
}

/// Length and coding of a field. Multi-octet numbers are little-endian; bit 0 of an octet is its lowest.
public indirect enum FieldShape: Sendable {
    case unsigned(bits: Int)
    /// Two's complement.
    case signed(bits: Int)
    case bytes(FieldLength)
    /// Always `total` octets, of which the first ones count, as many as an earlier field says; the rest is padding.
    case padded(countedBy: String, total: Int)
    /// Further fields, once, several times or not at all.
    case group([FieldDescription], FieldRepetition)
}

/// How many octets a field of bytes has.
public enum FieldLength: Sendable {
    case fixed(Int)
    /// All that are left but this many.
    case rest(except: Int)
    /// As an earlier field says, less a constant.
    case counted(by: String, less: Int)
    /// As an earlier field says, or what is left if that is less.
    case countedAtMost(by: String)
    /// By the value of an earlier field.
    case selected(by: String, [UInt64: Int])

    public static let rest = Self.rest(except: 0)
    public static func counted(by name: String) -> Self { .counted(by: name, less: 0) }
}

/// How often a group of fields stands in a packet.
public enum FieldRepetition: Sendable {
    /// As often as an earlier field says.
    case counted(by: String)
    /// Until the packet ends.
    case rest
    /// Once if a bit of an earlier field is set, else not at all.
    case when(String, bit: Int)
}

extension [FieldDescription] {
    /// Octets of all fields together; nil where that depends on values.
    public var fixedByteCount: Int? {
        var bits = 0
        for field in self {
            switch field.shape {
            case .unsigned(let count), .signed(let count): bits += count
            case .bytes(.fixed(let count)), .padded(_, let count): bits += 8 * count
            case .bytes, .group: return nil
            }
        }
        return bits / 8
    }
}
