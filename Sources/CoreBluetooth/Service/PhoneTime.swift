/// The time that passes on a phone: real time, or that of a world.
public struct PhoneTime: Sendable {
    private let read: @Sendable () -> Date
    /// Calls an action after so many seconds, where apps are called back; nil for real time, in which queues do it.
    private let call: (@Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Void)?

    /// A time of somebody's own.
    ///
    /// - Parameters:
    ///   - read: what time it is.
    ///   - call: calls an action once, after so many seconds, on the thread on which apps are called back, and never
    ///     before it has returned itself. May be called on any thread.
    public init(
        reading read: @escaping @Sendable () -> Date,
        calling call: @escaping @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Void
    ) {
        self.read = read
        self.call = call
    }

    private init() {
        read = { Date() }
        call = nil
    }

    /// The time of the machine.
    public static let real = PhoneTime()

    /// What time it is.
    public var now: Date { read() }

    func call(after seconds: TimeInterval, on queue: DispatchQueue, _ action: @escaping @Sendable () -> Void) {
        guard let call else {
            guard seconds > 0 else { return queue.async(execute: action) }
            return queue.asyncAfter(deadline: .now() + seconds, execute: action)
        }
        call(max(0, seconds)) {
            // Entering the main queue from the main thread would wait for itself, and from elsewhere for others.
            if queue.isMain { action() } else { queue.sync(execute: action) }
        }
    }
}

/// What code that lives with managers needs besides them: to know the time, and to be called again later.
extension BluetoothEnvironment {
    /// What time it is on the phone.
    public var now: Date { time.now }

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
        time.call(after: seconds, on: queue) { Self.$current.withValue(self, operation: action) }
    }

    /// Whether code that is called here is on a queue already, so that waiting for it would be waiting for oneself: the
    /// main queue of virtual time is the thread that runs the world.
    public func isEntered(_ queue: DispatchQueue) -> Bool { delivery == .inline && queue.isMain }
}
