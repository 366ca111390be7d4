internal import PhoneService
private import Synchronization

/// Brings the news of one session to its manager, in their order, where the app wants to be called.
///
/// News that come while earlier ones wait are delivered together with them: under load a block on a queue carries many.
final class CallbackQueue: Sendable {
    private struct Waiting {
        var news: [SessionNews] = []
        /// Nobody need do anything for what is added: somebody is delivering, a block that will is on the queue, or the
        /// manager is not ready.
        var isTakenCareOf = true
    }

    private let queue: DispatchQueue?
    private let delivery: CallbackDelivery
    private let deliver: @Sendable ([SessionNews]) -> Void
    private let waiting = Mutex(Waiting())

    init(
        queue: DispatchQueue?,
        delivery: CallbackDelivery,
        deliver: @escaping @Sendable ([SessionNews]) -> Void
    ) {
        self.queue = queue
        self.delivery = delivery
        self.deliver = deliver
    }

    /// The manager is ready; until then its news wait.
    func start() {
        waiting.withLock { $0.isTakenCareOf = false }
        post([])
    }

    func post(_ news: [SessionNews]) {
        let isMine = waiting.withLock { waiting in
            waiting.news += news
            guard !waiting.isTakenCareOf, !waiting.news.isEmpty else { return false }
            waiting.isTakenCareOf = true
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
            let news = waiting.withLock { waiting in
                defer { waiting.news = [] }
                if waiting.news.isEmpty { waiting.isTakenCareOf = false }
                return waiting.news
            }
            guard !news.isEmpty else { return }
            deliver(news)
        }
    }
}
