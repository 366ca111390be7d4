public import BluethroatVirtualTime

/// What has become of the payloads in one world. Times count from the instant at which it was begun to listen.
public struct CrowdResult: Hashable, Sendable {
    /// One phone that sends.
    public struct Phone: Hashable, Sendable {
        /// When one of the scanners heard it first, whatever it made of that; nil for never.
        public var heard: TimeSpan?
        /// When one of them had its payload first.
        public var got: TimeSpan?
    }

    public var phones: [Phone]
    /// How many pairs there were of a scanner and a phone that it has heard.
    public var meetings = 0
    /// How long a scanner that heard a phone waited for the payload, for each pair that got so far, in their order.
    public var waits: [TimeSpan] = []
    /// How long all scanners waited for payloads of phones that they had heard, together; where none came, to the end.
    public var waited = TimeSpan.zero
    /// How often phones changed what they advertise, beginning included.
    public var changes = 0
    /// How many pairs there were of a scanner and a payload that it believed and that was never sent.
    public var mistakes = 0
    /// Frames on the air.
    public var transmissions = 0
    /// The world's fingerprint.
    public var digest: UInt64 = 0

    init(phones count: Int) { phones = Array(repeating: Phone(), count: count) }
}
