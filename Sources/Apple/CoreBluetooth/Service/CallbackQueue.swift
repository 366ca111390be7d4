internal import BluethroatPhoneService
private import Synchronization

/// Brings the events of one session to its manager, in their order, where the app wants to be called.
///
/// Events that come while earlier ones wait are delivered together with them: under load a block on a queue carries many.
final class CallbackQueue: Sendable {
    private struct Waiting {
        var events: [SessionEvent] = []
        /// What is added is delivered without a further block: a delivery is running, a block is on the queue, or the
        /// manager is not ready.
        var isScheduled = true
    }

    private let queue: DispatchQueue?
    private let delivery: CallbackDelivery
    private let deliver: @Sendable ([SessionEvent]) -> Void
    private let waiting = Mutex(Waiting())

    init(
        queue: DispatchQueue?,
        delivery: CallbackDelivery,
        deliver: @escaping @Sendable ([SessionEvent]) -> Void
    ) {
        self.queue = queue
        self.delivery = delivery
        self.deliver = deliver
    }

    /// The manager is ready; until then its events wait.
    func start() {
        waiting.withLock { $0.isScheduled = false }
        post([])
    }

    func post(_ events: [SessionEvent]) {
        let isMine = waiting.withLock { waiting in
            if waiting.events.isEmpty { waiting.events = events } else { waiting.events += events }
            guard !waiting.isScheduled, !waiting.events.isEmpty else { return false }
            waiting.isScheduled = true
            return true
        }
        guard isMine else { return }
        switch delivery {
        case .queued: (queue ?? .main).async { self.drain() }
        case .inline:
            // Entering the main queue from the main thread would wait for itself, and from elsewhere for others.
            if let queue, !queue.isMain { queue.sync { drain() } } else { drain() }
        }
    }

    private func drain() {
        while true {
            let events = waiting.withLock { waiting in
                defer { waiting.events = [] }
                if waiting.events.isEmpty { waiting.isScheduled = false }
                return waiting.events
            }
            guard !events.isEmpty else { return }
            deliver(events)
        }
    }
}
