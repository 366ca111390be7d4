/// A property of an object of the API: its value, and what the API's description says of it. `Described` shows how.
///
/// JSON, equality and hash are those of the value. A property of an optional type may be left out of JSON; nil is not
/// written.
@propertyWrapper
public struct Property<Value: SchemaValue>: Sendable {
    public var wrappedValue: Value
    /// Nil unless a schema is being derived, so that ordinary values neither make nor compare schemas.
    let schema: Schema?

    /// A property whose name says everything.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
        schema = SchemaDerivation.isUnderWay ? Value.schema : nil
    }

    /// - Parameters:
    ///   - about: what it is, with the unit.
    ///   - range: which numbers it may be.
    public init(
        wrappedValue: Value,
        _ about: @autoclosure () -> String,
        _ range: @autoclosure () -> ClosedRange<Value.Bound>? = nil
    ) {
        self.wrappedValue = wrappedValue
        schema = SchemaDerivation.isUnderWay ? Value.schema(about(), range()) : nil
    }

    public init(wrappedValue: Value, _ range: @autoclosure () -> ClosedRange<Value.Bound>) {
        self.wrappedValue = wrappedValue
        schema = SchemaDerivation.isUnderWay ? Value.schema(nil, range()) : nil
    }

    /// A property of which more is known than its type says: a pattern, or a choice of words. An object that holds objects
    /// of its own type says so by this, too.
    public init(wrappedValue: Value, as schema: @autoclosure () -> Schema) {
        self.wrappedValue = wrappedValue
        self.schema = SchemaDerivation.isUnderWay ? schema() : nil
    }
}

/// A `Property` of any type.
protocol DeclaredProperty {
    var schema: Schema? { get }
    var isOptional: Bool { get }
}

extension Property: DeclaredProperty {
    var isOptional: Bool { Value.isOptional }
}

extension Property: Equatable where Value: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Property: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { wrappedValue.hash(into: &hasher) }
}

extension Property: Codable {
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// What the compiler writes for `Codable` calls these rather than the two above, so that JSON is what it would be without
// the wrapper.

extension KeyedDecodingContainer {
    public func decode<Value>(_ type: Property<Value>.Type, forKey key: Key) throws -> Property<Value> {
        Property(wrappedValue: try named(key) { try decode(Value.self, forKey: key) })
    }

    public func decode<Value>(_ type: Property<Value?>.Type, forKey key: Key) throws -> Property<Value?> {
        Property(wrappedValue: try named(key) { try decodeIfPresent(Value.self, forKey: key) })
    }

    /// On Linux a number that its type cannot hold, and half of a surrogate pair in a text, are errors of the decoder's own,
    /// which say no place.
    private func named<Value>(_ key: Key, _ decode: () throws -> Value) throws -> Value {
        do {
            return try decode()
        } catch let error where !(error is DecodingError || error is PanelError) {
            let isText = Value.self == String.self || Value.self == String?.self
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath + [key],
                    debugDescription: isText ? "no text in Unicode" : "a number that does not fit"
                )
            )
        }
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value>(_ property: Property<Value>, forKey key: Key) throws {
        try property.wrappedValue.encode(to: &self, forKey: key)
    }
}
