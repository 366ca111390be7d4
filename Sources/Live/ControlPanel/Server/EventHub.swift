import Foundation
import Synchronization

/// Sends events to all listeners.
public final class EventHub: Sendable {
    private let queues = Mutex<[ObjectIdentifier: EventQueue]>([:])

    public init() {}

    /// Whether there is a listener for it.
    public func isListenedTo(_ topic: String) -> Bool {
        queues.withLock { $0.values.contains { $0.wants(topic) } }
    }

    /// Whether a listener wants this topic by its name.
    func isAskedFor(_ topic: String) -> Bool {
        queues.withLock { $0.values.contains { $0.topics?.contains(topic) ?? false } }
    }

    public var listenerCount: Int { queues.withLock { $0.count } }

    /// A new listener; nil wants all topics.
    public func listen(to topics: Set<String>?) -> EventQueue {
        let queue = EventQueue(topics: topics) { [weak self] queue in
            self?.queues.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(queue)) }
        }
        queues.withLock { $0[ObjectIdentifier(queue)] = queue }
        return queue
    }

    /// Says something; it is written once for all.
    public func say(_ topic: String, _ value: some Described) {
        guard isListenedTo(topic), let json = try? JSONAnswer.encoder().encode(value) else { return }
        var text = Array("event: \(topic)\ndata: ".utf8)
        text += json
        text += "\n\n".utf8
        let event = EventQueue.Event(topic: topic, text: text)
        for queue in queues.withLock({ Array($0.values) }) { queue.put(event) }
    }

    /// Says something to one listener alone.
    public func say(_ topic: String, _ value: some Described, to queue: EventQueue) {
        guard let json = try? JSONAnswer.encoder().encode(value) else { return }
        queue.put(
            EventQueue.Event(topic: topic, text: Array("event: \(topic)\ndata: ".utf8) + json + Array("\n\n".utf8))
        )
    }

    /// A sign of life, by which those are found out who are gone.
    func beat() {
        let event = EventQueue.Event(topic: "", text: Array(": \n\n".utf8))
        for queue in queues.withLock({ Array($0.values) }) { queue.beat(event) }
    }

    /// The end of all streams.
    func close() {
        for queue in queues.withLock({ Array($0.values) }) { queue.close() }
    }
}
