// Foundation has these on Apple's systems only. Values and meanings are the same, as far as they can occur here.

/// What an observer of a property is handed.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value after the change.
    public static let new = Self(rawValue: 0x01)
    /// The value before the change.
    public static let old = Self(rawValue: 0x02)
    /// Be called once at the beginning, with the value there is.
    public static let initial = Self(rawValue: 0x04)
    /// Be called before each change as well. Not done here: properties are looked at after they have changed.
    public static let prior = Self(rawValue: 0x08)
}

/// In which way a property has changed. Here it is always `setting`.
public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion = 2
    case removal = 3
    case replacement = 4
}

/// One change of a property.
public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange

    public let kind: Kind
    /// The value after the change, if `.new` was asked for.
    public let newValue: Value?
    /// The value before the change, if `.old` was asked for.
    public let oldValue: Value?
    public let indexes: IndexSet?
    public let isPrior: Bool

    init(newValue: Value?, oldValue: Value?) {
        kind = .setting
        self.newValue = newValue
        self.oldValue = oldValue
        indexes = nil
        isPrior = false
    }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}

/// Observes a property for as long as it is kept.
public class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Observes no longer.
    public func invalidate() { end() }
}
