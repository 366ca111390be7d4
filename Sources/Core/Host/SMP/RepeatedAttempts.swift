internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// The peers that have failed to pair lately, and how long each may not try again: twice as long after each failure.
/// Core 6.0, Vol 3, Part H, 2.3.6.
struct RepeatedAttempts: Sendable {
    private struct Entry: Sendable {
        let peer: DeviceAddress
        var failures: Int
        var end: Instant
    }

    /// How long a peer waits after its first failure.
    static let firstWait = TimeSpan.seconds(1)
    /// How long a peer waits at most, and when it has kept quiet for so long once more, its failures are forgotten.
    static let longestWait = TimeSpan.seconds(128)
    /// Peers that are remembered; when full, the one whose wait ends first is forgotten.
    static let capacity = 64

    private var entries: [Entry] = []

    /// Whether a peer has to wait.
    func isWaiting(_ peer: DeviceAddress, at now: Instant) -> Bool {
        entries.contains { $0.peer == peer && now < $0.end }
    }

    mutating func recordFailure(of peer: DeviceAddress, at now: Instant) {
        entries.removeAll { $0.end + Self.longestWait <= now }
        if let index = entries.firstIndex(where: { $0.peer == peer }) {
            entries[index].failures += 1
            entries[index].end = now + Self.wait(after: entries[index].failures)
            return
        }
        if entries.count == Self.capacity, let first = entries.indices.min(by: { entries[$0].end < entries[$1].end }) {
            entries.remove(at: first)
        }
        entries.append(Entry(peer: peer, failures: 1, end: now + Self.wait(after: 1)))
    }

    mutating func recordSuccess(of peer: DeviceAddress) { entries.removeAll { $0.peer == peer } }

    static func wait(after failures: Int) -> TimeSpan {
        // The eighth failure makes 128 s.
        min(longestWait, firstWait * (1 << Int64(min(failures - 1, 7))))
    }
}
