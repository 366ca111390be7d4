import BluethroatAppEnvironment

/// What code that lives with managers needs besides them: to know the time, and to be called again later.
extension BluetoothEnvironment {
    /// What time it is on the phone.
    public var now: Date { clock.date }

    /// Has something done on a queue after so many seconds, where and when this environment's managers would call their
    /// delegates: in real time when the queue gets to it, in virtual time at the instant, on the thread that runs the
    /// world, in the order of the calls. It finds this environment as the current one.
    ///
    /// An app that is suspended by then is called when it runs again, one that was ended never. Nothing is called before
    /// this returns.
    public func call(
        after seconds: TimeInterval = 0,
        on queue: DispatchQueue = .main,
        _ action: @escaping @Sendable () -> Void
    ) {
        let action: @Sendable () -> Void = { Self.$current.withValue(self, operation: action) }
        guard !clock.isReal else { return AppClock.queue(queue).call(after: seconds, action) }
        clock.call(after: seconds) {
            // Entering the main queue from the main thread would wait for itself, and from elsewhere for others.
            if queue.isMain { action() } else { queue.sync(execute: action) }
        }
    }

    /// Whether code that is called here is on a queue already, so that waiting for it would be waiting for oneself: the
    /// main queue of virtual time is the thread that runs the world.
    public func isEntered(_ queue: DispatchQueue) -> Bool { delivery == .inline && queue.isMain }
}
