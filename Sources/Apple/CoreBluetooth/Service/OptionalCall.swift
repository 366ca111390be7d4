private import Synchronization

/// Finds out whether a delegate has a method of its own, as `responds(to:)` does in the Objective-C runtime.
///
/// An optional method is a requirement with a default body here, and the default bodies do one thing: they say that it
/// was them. So the framework learns which methods a delegate has by calling them.
struct OptionalCall: ~Copyable, Sendable {
    private let wasDefault = Atomic(false)

    /// Calls a method of the delegate. False if the delegate left it out.
    func reaches(_ call: () -> Void) -> Bool {
        wasDefault.store(false, ordering: .relaxed)
        call()
        return !wasDefault.load(ordering: .relaxed)
    }

    /// What each default body says.
    func isLeftOut() { wasDefault.store(true, ordering: .relaxed) }
}
