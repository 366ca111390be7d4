internal import Foundation

/// The callbacks that run within each other on one thread, and those that have to wait until these have returned.
///
/// A callback completes another future, whose callback completes the next one. To a depth that any stack has room for
/// they run within each other, as one expects where they run at once; deeper ones wait until the stack is free again.
final class Turns {
    private static let deepest = 32

    private var depth = 0
    private var waiting: [() -> Void] = []
    /// Those before this one have had their turn.
    private var next = 0
    /// Objects that are no longer needed. Each may be the first of a long chain in which every object keeps the next.
    var discarded: [AnyObject] = []
    private var isDiscarding = false
    /// How many tasks of `MaxStackDepthContext` run within each other.
    var immediateDepth = 0

    /// Whether something may be called now, which is over with `end`. Those who wait go first.
    func begin() -> Bool {
        guard depth < Self.deepest, next == waiting.count else { return false }
        depth += 1
        return true
    }

    /// Calls those who have waited, if the stack is free.
    func end() {
        depth -= 1
        if depth == 0, !waiting.isEmpty { runWaiting() }
    }

    /// Has something called when the stack is free.
    func add(_ work: @escaping () -> Void) { waiting.append(work) }

    private func runWaiting() {
        depth = 1
        while next < waiting.count {
            let work = waiting[next]
            next += 1
            // What is done is not kept until the end of a long row.
            if next == 1_024 {
                waiting.removeFirst(next)
                next = 0
            }
            work()
        }
        waiting.removeAll()
        next = 0
        depth = 0
    }

    /// Releases what is to be discarded, and what is added by that. It must have no other owner.
    func discard() {
        guard !isDiscarding else { return }
        isDiscarding = true
        while !discarded.isEmpty { _ = discarded.removeLast() }
        isDiscarding = false
    }

    /// Those of the thread that asks.
    static var ofThisThread: Turns {
        if let known = pthread_getspecific(key) { return Unmanaged<Turns>.fromOpaque(known).takeUnretainedValue() }
        let new = Turns()
        pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    private static let key = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key) { turns in
            #if canImport(Darwin)
                Unmanaged<Turns>.fromOpaque(turns).release()
            #else
                if let turns { Unmanaged<Turns>.fromOpaque(turns).release() }
            #endif
        }
        precondition(result == 0, "this process has no more thread-specific keys")
        return key
    }()
}
