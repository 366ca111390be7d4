import Synchronization

/// How many received bytes their owner has not let go of, across threads.
package final class HeldBytes: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int

    package init(limit: Int = HCITransportLimits.unconsumed) { self.limit = limit }

    /// Whether more may be read.
    package var hasRoom: Bool { count.load(ordering: .acquiring) <= limit }

    package func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .acquiringAndReleasing) }

    /// True if there is room again that was not there before.
    package func remove(_ bytes: Int) -> Bool {
        let now = count.wrappingSubtract(bytes, ordering: .acquiringAndReleasing).newValue
        return now <= limit && now + bytes > limit
    }
}
