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
        // It also finds what changed before the observer was added.
        watch.look(isFirst: true)
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
/// The property is read and compared with the lock held, so that of two threads the later one has the later value. The lock
/// is recursive, since reading may change something, and is not held while the handler runs, which may wait for another
/// thread.
///
/// `@unchecked Sendable`: a key path is a constant, whatever it captured, and `last` is used with the lock held.
private final class Watch<Subject: NSObject, Value>: @unchecked Sendable {
    private weak var subject: Subject?
    private let keyPath: KeyPath<Subject, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Subject, NSKeyValueObservedChange<Value>) -> Void
    private let lock = NSRecursiveLock()
    private var last: Value

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
        last = subject[keyPath: keyPath]
    }

    /// Reports the value if it is another one than before; the first time in any case to whoever wants to hear of it then.
    func look(isFirst: Bool = false) {
        guard let subject else { return }
        let (old, new) = lock.withLock {
            let old = last
            last = subject[keyPath: keyPath]
            return (old, last)
        }
        if isFirst, options.contains(.initial) {
            report(nil, new)
        } else if !isEqual(old, new) {
            report(old, new)
        }
    }

    private func report(_ old: Value?, _ new: Value) {
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
