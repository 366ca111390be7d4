import Synchronization

/// A lock of one word. Make it with `os_unfair_lock()`, keep it where it is, and pass its address.
public struct os_unfair_lock: Sendable {
    /// Zero when nobody has it.
    public var _os_unfair_lock_opaque: UInt32 = 0

    public init() {}
}

public typealias os_unfair_lock_s = os_unfair_lock
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
    while !os_unfair_lock_trylock(lock) { sched_yield() }
}

public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    word(of: lock).pointee.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
}

public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { word(of: lock).pointee.store(0, ordering: .releasing) }

/// `Atomic` is laid out as what it holds.
private func word(of lock: os_unfair_lock_t) -> UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(lock).assumingMemoryBound(to: Atomic<UInt32>.self)
}

/// A lock and what it guards.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Storage: @unchecked Sendable {
        let lock = NSLock()
        var state: State

        init(_ state: State) { self.state = state }
    }

    private let storage: Storage

    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

    public init() where State == Void { storage = Storage(()) }

    public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }

    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    public func lock() where State == Void { storage.lock.lock() }

    public func unlock() where State == Void { storage.lock.unlock() }

    public func lockIfAvailable() -> Bool where State == Void { storage.lock.try() }
}
