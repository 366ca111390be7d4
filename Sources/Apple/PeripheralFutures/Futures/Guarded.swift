internal import Synchronization

/// A lock for what the compiler cannot know to be safe elsewhere.
struct Lock: ~Copyable, Sendable {
    private let mutex = Mutex(())

    borrowing func run<Result>(_ body: () -> Result) -> Result {
        mutex.withLock { _ in Unchecked(value: body()) }.value
    }
}

/// Something that is changed and read under a lock.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = Lock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.run { body(&value) } }
}

/// Carries something to where it was meant to go, which the compiler cannot see.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}
