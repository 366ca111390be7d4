internal import Synchronization

// What `@synchronized` is in Objective-C; libraries that are older than Swift's own locks call the functions behind it.

/// Waits until no other thread has entered the object, and enters it; as often as one likes. Always 0.
@discardableResult
public func objc_sync_enter(_ object: Any) -> Int32 {
    objectLocks.lock(of: ObjectIdentifier(object as AnyObject)).lock()
    return 0
}

/// Leaves the object, as often as it was entered. 0; -1 if this was not entered.
@discardableResult
public func objc_sync_exit(_ object: Any) -> Int32 {
    guard let lock = objectLocks.release(ObjectIdentifier(object as AnyObject)) else { return -1 }
    lock.unlock()
    return 0
}

private let objectLocks = ObjectLocks()

/// A lock for each object that threads are in or wait for.
private final class ObjectLocks: Sendable {
    private struct Entry {
        var lock = NSRecursiveLock()
        var users = 0
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    func lock(of object: ObjectIdentifier) -> NSRecursiveLock {
        entries.withLock { entries in
            entries[object, default: Entry()].users += 1
            return entries[object, default: Entry()].lock
        }
    }

    func release(_ object: ObjectIdentifier) -> NSRecursiveLock? {
        entries.withLock { entries in
            guard let entry = entries[object] else { return nil }
            entries[object] = entry.users > 1 ? Entry(lock: entry.lock, users: entry.users - 1) : nil
            return entry.lock
        }
    }
}
