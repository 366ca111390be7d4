import Synchronization

/// Finds out whether a delegate has a method of its own: the default body of the method says that it was it.
final class LeftOut: Sendable {
    private let wasDefault = Atomic(false)

    /// Calls a method of the delegate. False if the delegate left it out.
    func reaches(_ call: () -> Void) -> Bool {
        wasDefault.store(false, ordering: .relaxed)
        call()
        return !wasDefault.load(ordering: .relaxed)
    }

    /// What the default body says.
    func note() { wasDefault.store(true, ordering: .relaxed) }
}
