import Synchronization

/// An object of the API: a struct whose stored properties are all declared as `@Property`. Its JSON and its schema
/// follow from that.
///
/// ```swift
/// struct LampState: Described, Equatable {
///     static let schemaName = "Lamp"
///
///     @Property("Whether it is lit.") var isLit = false
///     @Property("In percent.", 0...100) var brightness = 100
///     @Property("Who switched it last.") var person: String? = nil
/// }
/// ```
public protocol Described: SchemaValue where Bound == Never {
    /// What the API's description calls it. The page and other programs may know the name.
    static var schemaName: String { get }

    /// Any value. The schema is read from it, so that each property has a value before it is given one.
    init()
}

extension Described {
    public static func schema(_ about: String?, _ range: ClosedRange<Never>?) -> Schema {
        precondition(about == nil, "a property of type \(Self.self) has no text: the object's own properties have it")
        let type = ObjectIdentifier(Self.self)
        if let schema = derivedSchemas.withLock({ $0[type] }) { return schema }
        let schema = SchemaDerivation.run { Schema.object(named: schemaName, properties(of: Self())) }
        derivedSchemas.withLock { $0[type] = schema }
        return schema
    }

    private static func properties(of value: Self) -> [Schema.Property] {
        Mirror(reflecting: value).children.map { label, value in
            let name = label ?? ""
            guard let property = value as? any DeclaredProperty, let schema = property.schema else {
                preconditionFailure("\(Self.self).\(name) is not declared as @Property, so that no schema has it")
            }
            // The compiler calls the wrapper of `name` `_name`.
            return Schema.Property(name: String(name.dropFirst()), schema: schema, isOptional: property.isOptional)
        }
    }
}

/// By type. A schema is derived when it is first asked for.
private let derivedSchemas = Mutex<[ObjectIdentifier: Schema]>([:])

/// Whether a schema is being derived at the moment. Only then properties keep what is declared of them.
enum SchemaDerivation {
    private static let count = Atomic(0)

    /// May be true for values that other threads make at the same time; they then keep what nobody asks for.
    static var isUnderWay: Bool { count.load(ordering: .relaxed) > 0 }

    static func run(_ body: () -> Schema) -> Schema {
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        return body()
    }
}
