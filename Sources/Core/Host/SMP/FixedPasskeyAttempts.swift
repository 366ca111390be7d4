internal import BluethroatVirtualTime

/// A peer that fails at a fixed passkey has learned something of it: in LE Secure Connections one of its twenty bits at
/// least. A new address would be a new beginning, so that these failures count together, from all addresses. Core 6.0,
/// Vol 3, Part H, 2.3.6.
///
/// Each makes all wait twice as long as the one before, and only a peer that knows the passkey puts an end to it.
struct FixedPasskeyAttempts: Sendable {
    /// How long all peers wait at most. Twelve attempts take 34 minutes, and each further one an hour.
    static let longestWait = TimeSpan.seconds(3_600)

    private var failures = 0
    private var end = Instant.zero

    /// Whether who does not know the passkey, or may not, has to wait.
    func isWaiting(at now: Instant) -> Bool { failures > 0 && now < end }

    mutating func recordFailure(at now: Instant) {
        failures += 1
        end = now + min(Self.longestWait, RepeatedAttempts.firstWait * (1 << Int64(min(failures - 1, 12))))
    }

    mutating func recordSuccess() { failures = 0 }
}
