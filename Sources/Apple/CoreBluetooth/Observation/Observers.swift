internal import Synchronization

/// An object with properties that apps observe.
package protocol ObservableProperties: NSObject {
    var observers: Observers { get }
}

/// Those who want to know when properties of one object change.
///
/// Apple's classes report which property has changed; ours only report that one may have, and each observer compares
/// the value of its own with the last one.
package final class Observers: Sendable {
    private struct Entry: Sendable {
        var number: UInt64
        var look: @Sendable () -> Void
    }

    private struct List: Sendable {
        var entries: [Entry] = []
        var count: UInt64 = 0
    }

    private let list = Mutex(List())

    package init() {}

    /// Calls `look` after every change, until it is removed under the number.
    package func add(_ look: @escaping @Sendable () -> Void) -> UInt64 {
        list.withLock { list in
            list.count += 1
            list.entries.append(Entry(number: list.count, look: look))
            return list.count
        }
    }

    package func remove(_ number: UInt64) {
        // What an observer holds is let go of outside of the lock: it may observe something itself.
        _ = list.withLock { list in
            list.entries.firstIndex { $0.number == number }.map { list.entries.remove(at: $0) }
        }
    }

    /// Something has changed.
    package func look() {
        for entry in list.withLock(\.entries) { entry.look() }
    }
}

/// The observers of an object, which few objects have: they are made when the first one comes.
struct Observation: ~Copyable, Sendable {
    private let made = Mutex<Observers?>(nil)

    var observers: Observers {
        made.withLock { made in
            let observers = made ?? Observers()
            made = observers
            return observers
        }
    }

    /// Something has changed.
    func look() { made.withLock { $0 }?.look() }
}

extension CBManager: ObservableProperties {}
extension CBPeripheral: ObservableProperties {}
extension CBAttribute: ObservableProperties {}
