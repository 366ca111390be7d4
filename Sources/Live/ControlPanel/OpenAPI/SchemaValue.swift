/// A value that JSON can hold, and what the API's description says of it.
///
/// Numbers, strings, arrays and optionals are such values. An enum of words is one if it says so:
/// `enum Kind: String, CaseIterable, SchemaValue`. An object is a `Described` struct.
public protocol SchemaValue: Codable, Sendable {
    /// The type of a range's ends, for numbers and arrays of numbers. Nothing else has a range.
    associatedtype Bound: Comparable & Sendable = Never

    static func schema(_ about: String?, _ range: ClosedRange<Bound>?) -> Schema
    /// Whether a property of this type may be left out.
    static var isOptional: Bool { get }

    func encode<Key>(to container: inout KeyedEncodingContainer<Key>, forKey key: Key) throws
}

extension SchemaValue {
    public static var schema: Schema { schema(nil, nil) }
    public static var isOptional: Bool { false }

    public func encode<Key>(to container: inout KeyedEncodingContainer<Key>, forKey key: Key) throws {
        try container.encode(self, forKey: key)
    }
}

// Each of these has its own `encode`: `JSONEncoder` takes three times as long for a type that it does not know.

extension Bool: SchemaValue {
    public static func schema(_ about: String?, _ range: ClosedRange<Never>?) -> Schema { .boolean(about) }

    public func encode<Key>(to container: inout KeyedEncodingContainer<Key>, forKey key: Key) throws {
        try container.encode(self, forKey: key)
    }
}

extension Int: SchemaValue {
    public static func schema(_ about: String?, _ range: ClosedRange<Int>?) -> Schema { .integer(about, range) }

    public func encode<Key>(to container: inout KeyedEncodingContainer<Key>, forKey key: Key) throws {
        try container.encode(self, forKey: key)
    }
}

extension Double: SchemaValue {
    public static func schema(_ about: String?, _ range: ClosedRange<Double>?) -> Schema { .number(about, range) }

    public func encode<Key>(to container: inout KeyedEncodingContainer<Key>, forKey key: Key) throws {
        try container.encode(self, forKey: key)
    }
}

extension String: SchemaValue {
    public static func schema(_ about: String?, _ range: ClosedRange<Never>?) -> Schema { .string(about) }

    public func encode<Key>(to container: inout KeyedEncodingContainer<Key>, forKey key: Key) throws {
        try container.encode(self, forKey: key)
    }
}

extension Array: SchemaValue where Element: SchemaValue {
    /// A range is that of each element.
    public static func schema(_ about: String?, _ range: ClosedRange<Element.Bound>?) -> Schema {
        .array(Element.schema(nil, range), about)
    }
}

extension Optional: SchemaValue where Wrapped: SchemaValue {
    public static var isOptional: Bool { true }

    public static func schema(_ about: String?, _ range: ClosedRange<Wrapped.Bound>?) -> Schema {
        Wrapped.schema(about, range)
    }

    /// Nil is left out.
    public func encode<Key>(to container: inout KeyedEncodingContainer<Key>, forKey key: Key) throws {
        try self?.encode(to: &container, forKey: key)
    }
}

extension SchemaValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static func schema(_ about: String?, _ range: ClosedRange<Bound>?) -> Schema {
        .choice(allCases.map(\.rawValue), about)
    }
}
