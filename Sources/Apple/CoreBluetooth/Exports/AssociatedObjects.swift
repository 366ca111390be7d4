// What Objective-C lets one hang on any object; libraries give peripherals properties of their own with it.

/// How an associated value is kept.
public enum objc_AssociationPolicy: UInt, Sendable {
    /// Not at all: it is released when it has no other owner. A value that is no object is kept all the same.
    case OBJC_ASSOCIATION_ASSIGN = 0
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// A copy of it, where it can be copied.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    case OBJC_ASSOCIATION_RETAIN = 0o1401
    /// A copy of it, where it can be copied.
    case OBJC_ASSOCIATION_COPY = 0o1403
}

/// Hangs a value on an object, in the place of the one with the same key; nil takes it away.
///
/// It goes with the object, at the latest when something is hung on another object for the first time.
public func objc_setAssociatedObject(
    _ object: Any,
    _ key: UnsafeRawPointer,
    _ value: Any?,
    _ policy: objc_AssociationPolicy
) {
    associations.set(value.map { AssociatedValue($0, policy) }, key, of: object as AnyObject)
}

/// The value that hangs on an object with this key; nil if there is none.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    associations.value(key, of: object as AnyObject)
}

/// Takes away all that hangs on an object.
public func objc_removeAssociatedObjects(_ object: Any) { associations.removeAll(of: object as AnyObject) }

private let associations = Associations()

private struct AssociatedValue {
    private let kept: Any?
    private weak var seen: AnyObject?

    init(_ value: Any, _ policy: objc_AssociationPolicy) {
        let copies = policy == .OBJC_ASSOCIATION_COPY || policy == .OBJC_ASSOCIATION_COPY_NONATOMIC
        if policy == .OBJC_ASSOCIATION_ASSIGN, type(of: value) is AnyObject.Type {
            kept = nil
            seen = value as AnyObject
        } else {
            kept = copies ? (value as? any NSCopying)?.copy(with: nil) ?? value : value
        }
    }

    var value: Any? { kept ?? seen }
}

/// What hangs on which objects. Values are let go of outside of the lock: what ends with them may ask for others.
private final class Associations: @unchecked Sendable {
    private struct Entry {
        weak var owner: AnyObject?
        var values: [UnsafeRawPointer: AssociatedValue] = [:]
    }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]

    func set(_ value: AssociatedValue?, _ key: UnsafeRawPointer, of object: AnyObject) {
        let id = ObjectIdentifier(object)
        var old: [Any] = []
        lock.withLock {
            if entries[id]?.owner !== object {
                old.append(entries)
                entries = entries.filter { $0.value.owner != nil }
                entries[id] = Entry(owner: object)
            }
            old.append(entries[id]?.values[key] as Any)
            entries[id]?.values[key] = value
        }
        withExtendedLifetime(old) {}
    }

    func value(_ key: UnsafeRawPointer, of object: AnyObject) -> Any? {
        lock.withLock {
            guard let entry = entries[ObjectIdentifier(object)], entry.owner === object else { return nil }
            return entry.values[key]?.value
        }
    }

    func removeAll(of object: AnyObject) {
        let old = lock.withLock { entries.removeValue(forKey: ObjectIdentifier(object)) }
        withExtendedLifetime(old) {}
    }
}
