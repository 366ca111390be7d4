/// Objects that are kept weakly or strongly. Foundation has it on Apple's systems only, and libraries with many
/// delegates keep them in one.
open class NSHashTable<ObjectType: AnyObject>: NSObject {
    private var entries: [Holder<ObjectType>] = []
    private let isWeak: Bool

    private init(isWeak: Bool) { self.isWeak = isWeak }

    /// A table that keeps its objects.
    public override convenience init() { self.init(isWeak: false) }

    /// A table from which objects vanish when they have no other owner.
    open class func weakObjects() -> NSHashTable<ObjectType> { NSHashTable(isWeak: true) }

    /// What is in it, in the order in which it was added.
    open var allObjects: [ObjectType] { entries.compactMap(\.object) }

    open var count: Int { allObjects.count }

    open var anyObject: ObjectType? { allObjects.first }

    /// Adds an object that is not in the table yet.
    open func add(_ object: ObjectType?) {
        entries.removeAll { $0.object == nil }
        guard let object, !contains(object) else { return }
        entries.append(Holder(object, isWeak: isWeak))
    }

    open func remove(_ object: ObjectType?) {
        entries.removeAll { $0.object.map { isSame($0, object) } ?? true }
    }

    open func removeAllObjects() { entries = [] }

    open func contains(_ object: ObjectType?) -> Bool {
        entries.contains { $0.object.map { isSame($0, object) } ?? false }
    }

    /// The object in the table that equals another.
    open func member(_ object: ObjectType?) -> ObjectType? { allObjects.first { isSame($0, object) } }
}

/// Values for keys, each kept weakly or strongly. Foundation has it on Apple's systems only.
open class NSMapTable<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
    private var entries: [(key: Holder<KeyType>, value: Holder<ObjectType>)] = []
    private let isWeak: (key: Bool, value: Bool)

    private init(weakKeys: Bool, weakValues: Bool) { isWeak = (weakKeys, weakValues) }

    /// A table that keeps keys and values.
    public override convenience init() { self.init(weakKeys: false, weakValues: false) }

    open class func strongToStrongObjects() -> NSMapTable { NSMapTable(weakKeys: false, weakValues: false) }

    open class func weakToStrongObjects() -> NSMapTable { NSMapTable(weakKeys: true, weakValues: false) }

    open class func strongToWeakObjects() -> NSMapTable { NSMapTable(weakKeys: false, weakValues: true) }

    open class func weakToWeakObjects() -> NSMapTable { NSMapTable(weakKeys: true, weakValues: true) }

    open var count: Int { live.count }

    open func object(forKey key: KeyType?) -> ObjectType? { live.first { isSame($0.0, key) }?.1 }

    /// Puts a value in the place of the one there is.
    open func setObject(_ object: ObjectType?, forKey key: KeyType?) {
        removeObject(forKey: key)
        guard let object, let key else { return }
        entries.append((Holder(key, isWeak: isWeak.key), Holder(object, isWeak: isWeak.value)))
    }

    open func removeObject(forKey key: KeyType?) {
        entries.removeAll { entry in
            guard let known = entry.key.object, entry.value.object != nil else { return true }
            return isSame(known, key)
        }
    }

    open func removeAllObjects() { entries = [] }

    open func keyEnumerator() -> NSEnumerator { NSArray(array: live.map(\.0)).objectEnumerator() }

    open func objectEnumerator() -> NSEnumerator? { NSArray(array: live.map(\.1)).objectEnumerator() }

    open func dictionaryRepresentation() -> [AnyHashable: ObjectType] {
        Dictionary(live.compactMap { pair in (pair.0 as? AnyHashable).map { ($0, pair.1) } }) { $1 }
    }

    private var live: [(KeyType, ObjectType)] {
        entries.compactMap { entry in entry.key.object.flatMap { key in entry.value.object.map { (key, $0) } } }
    }
}

/// An object, kept or not.
private struct Holder<Object: AnyObject> {
    private weak var seen: Object?
    private let kept: Object?

    init(_ object: Object, isWeak: Bool) {
        seen = object
        kept = isWeak ? nil : object
    }

    var object: Object? { seen }
}

/// Objects of Foundation say themselves whether they are equal.
private func isSame(_ left: AnyObject, _ right: AnyObject?) -> Bool {
    left === right || (left as? NSObject)?.isEqual(right) ?? false
}
