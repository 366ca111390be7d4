import Foundation

/// A value that threads share. `Mutex` takes only what the compiler can follow; apps' delegates are not that.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// A copy.
    var current: Value { withLock { $0 } }

    func set(_ new: Value) {
        // What was there is let go of outside: its end may come back here.
        _ = withLock { value in
            defer { value = new }
            return value
        }
    }
}

/// Carries something into a closure that the compiler cannot know to be safe there.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}

/// A reference that does not hold.
struct Weak<Object: AnyObject> {
    weak var object: Object?
}
