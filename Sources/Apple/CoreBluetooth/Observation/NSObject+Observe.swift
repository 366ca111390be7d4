internal import Synchronization

extension NSObjectProtocol where Self: NSObject {
    /// Calls the handler when a property has another value than before, on the thread that changes it and before any
    /// delegate hears of it, for as long as the result is kept.
    ///
    /// It works for properties of the framework's own classes. For other objects the process stops: they would need
    /// the Objective-C runtime.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        guard let subject = self as? any ObservableProperties else {
            fatalError("Could not observe \(keyPath): only properties of CoreBluetooth's classes can be observed here")
        }
        let watch = Watch(self, keyPath, options, changeHandler)
        let observers = subject.observers
        let number = observers.add { watch.look() }
        if options.contains(.initial) { watch.report(nil, self[keyPath: keyPath]) }
        return NSKeyValueObservation { observers.remove(number) }
    }

    /// The value of a property now and after each change. It ends when the object is gone, and when its reader is gone.
    ///
    /// Only here; on Apple's systems there is `publisher(for:)`.
    public func values<Value: Sendable>(of keyPath: any KeyPath<Self, Value> & Sendable) -> AsyncStream<Value> {
        AsyncStream { continuation in
            let observation = observe(keyPath, options: [.initial, .new]) { _, change in
                if let value = change.newValue { continuation.yield(value) }
            }
            continuation.onTermination = { _ in observation.invalidate() }
        }
    }
}

/// One observer's view of one property.
///
/// `@unchecked Sendable`: a key path is a constant, whatever it captured.
private final class Watch<Subject: NSObject, Value>: @unchecked Sendable {
    private weak var subject: Subject?
    private let keyPath: KeyPath<Subject, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Subject, NSKeyValueObservedChange<Value>) -> Void
    private let last: Mutex<Unchecked<Value>>

    init(
        _ subject: Subject,
        _ keyPath: KeyPath<Subject, Value>,
        _ options: NSKeyValueObservingOptions,
        _ handler: @escaping @Sendable (Subject, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.subject = subject
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
        let value = Unchecked(value: subject[keyPath: keyPath])
        last = Mutex(value)
    }

    func look() {
        guard let subject else { return }
        let new = Unchecked(value: subject[keyPath: keyPath])
        let old = last.withLock { last in
            defer { last = new }
            return last
        }
        guard !isEqual(old.value, new.value) else { return }
        report(old.value, new.value)
    }

    func report(_ old: Value?, _ new: Value) {
        guard let subject else { return }
        handler(
            subject,
            NSKeyValueObservedChange(
                newValue: options.contains(.new) ? new : nil,
                oldValue: options.contains(.old) ? old : nil
            )
        )
    }
}

/// Values that cannot be compared count as changed.
private func isEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    // Enumerations of C are their bytes. A dynamic check for `Equatable` would not help: release builds do not emit the
    // conformance, and a reference to it does not link.
    if _isPOD(Value.self) {
        return withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
    }
    // In arrays, because a cast looks into an optional.
    return isEqual(values: [left], [right])
}

/// Never specialised, so that it asks at run time.
@inline(never)
private func isEqual(values left: Any, _ right: Any) -> Bool {
    func compare<Comparable: Equatable>(_ left: Comparable) -> Bool { (right as? Comparable) == left }
    return (left as? any Equatable).map { compare($0) } ?? false
}
