import Foundation

extension NSObject {
    /// Publishes a property of an object now and whenever it has another value.
    public struct KeyValueObservingPublisher<Subject: NSObject, Value>: Publisher {
        public typealias Output = Value
        public typealias Failure = Never

        /// What is published. Old values, and the time before a change, are not.
        public struct Options: OptionSet, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) { self.rawValue = rawValue }

            public static var new: Self { Self(rawValue: 1) }
            public static var old: Self { Self(rawValue: 2) }
            /// The value at the time of the subscription.
            public static var initial: Self { Self(rawValue: 4) }
            public static var prior: Self { Self(rawValue: 8) }
        }

        public let object: Subject
        public let keyPath: KeyPath<Subject, Value>
        public let options: Options

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Value, Downstream.Failure == Never {
            // Without demand it is the last value that waits.
            let values = CurrentValueSubject<Value?, Never>(nil)
            let watch = KeyValueWatch(object, keyPath) { [weak values] in values?.send($0) }
            let stop = watch.begin(object, tellsFirst: options.contains(.initial))
            values.compactMap { $0 }.handleEvents(receiveCancel: stop).receive(subscriber: subscriber)
        }
    }
}

extension NSObjectProtocol where Self: NSObject {
    /// Publishes a property now and whenever it has another value, before any delegate hears of it.
    ///
    /// It works for the classes of the `CoreBluetooth` of Bluethroat and their properties. For other objects the process
    /// stops: they would need the Objective-C runtime.
    public func publisher<Value>(
        for keyPath: KeyPath<Self, Value>,
        options: NSObject.KeyValueObservingPublisher<Self, Value>.Options = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
        NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
    }
}

/// One subscriber's view of one property.
///
/// The two modules do not know each other: a module whose objects report changes listens for a notification, in whose
/// `userInfo` it finds the function to be called after each change of the object, under `look`, and a dictionary under
/// `answer` in which it leaves the function that ends this, under `stop`.
///
/// What is seen is told in the order in which it was seen: the property is read, compared and told about with the lock
/// held, which is recursive because who is told may change the property.
///
/// `@unchecked Sendable`: a key path is a constant, and `last` is used with the lock held.
private final class KeyValueWatch<Subject: NSObject, Value>: @unchecked Sendable {
    private weak var object: Subject?
    private let keyPath: KeyPath<Subject, Value>
    private let changed: (Value) -> Void
    private let lock = NSRecursiveLock()
    private var last: Value

    init(_ object: Subject, _ keyPath: KeyPath<Subject, Value>, changed: @escaping (Value) -> Void) {
        self.object = object
        self.keyPath = keyPath
        self.changed = changed
        last = object[keyPath: keyPath]
    }

    /// Returns what ends it. Looks once when everything is in place: nobody tells of what has changed before that.
    ///
    /// - Parameter tellsFirst: whether the present value is told of, changed or not.
    func begin(_ object: Subject, tellsFirst: Bool) -> () -> Void {
        let answer = NSMutableDictionary()
        let look: () -> Void = { self.look() }
        NotificationCenter.default.post(
            name: Notification.Name("BluethroatObserveProperties"),
            object: object,
            userInfo: ["look": look, "answer": answer]
        )
        guard let stop = answer["stop"] as? () -> Void else {
            fatalError("Could not observe \(keyPath): only properties of CoreBluetooth's classes can be observed here")
        }
        self.look(tellsAnyway: tellsFirst)
        return stop
    }

    private func look(tellsAnyway: Bool = false) {
        guard let object else { return }
        lock.lock()
        defer { lock.unlock() }
        let new = object[keyPath: keyPath]
        let old = last
        last = new
        if tellsAnyway || !isEqual(old, new) { changed(new) }
    }
}

/// Values that cannot be compared count as changed.
private func isEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    // Enumerations of C are their bytes: release builds have no conformance of theirs to be found at run time.
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
