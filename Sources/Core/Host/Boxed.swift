/// A property whose value stands in a block of its own, so that it takes one word where it is declared, and copies share it.
///
/// For what is large and seldom looked at, such as settings. Setting it makes a new block.
@propertyWrapper
indirect enum Boxed<Value> {
    case value(Value)

    init(wrappedValue: Value) { self = .value(wrappedValue) }

    var wrappedValue: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }
}

extension Boxed where Value: Equatable {
    /// Takes a value; the old block stays, and goes on being shared, if it holds the same one already.
    mutating func update(_ value: Value) { if wrappedValue != value { wrappedValue = value } }
}

/// A property that is nil most of the time, and takes one word then: a value gets a block of its own.
@propertyWrapper
enum BoxedIfAny<Value> {
    case absent
    indirect case value(Value)

    init(wrappedValue: Value?) { self = if let wrappedValue { .value(wrappedValue) } else { .absent } }

    var wrappedValue: Value? {
        get { if case .value(let value) = self { value } else { nil } }
        set { self = Self(wrappedValue: newValue) }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension BoxedIfAny: Sendable where Value: Sendable {}
