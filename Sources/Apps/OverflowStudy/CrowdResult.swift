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

/// In nanoseconds, so that another process gets every number as it is.
extension CrowdResult: Codable {
    private struct Stored: Codable {
        var heard: [Int64?], got: [Int64?], waits: [Int64]
        var meetings: Int, waited: Int64, changes: Int, mistakes: Int, transmissions: Int, digest: UInt64
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        guard stored.heard.count == stored.got.count else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "phones are counted twice")
            )
        }
        self.init(phones: stored.heard.count)
        phones = zip(stored.heard, stored.got).map { heard, got in
            Phone(heard: heard.map(TimeSpan.init(nanoseconds:)), got: got.map(TimeSpan.init(nanoseconds:)))
        }
        (meetings, waits) = (stored.meetings, stored.waits.map(TimeSpan.init(nanoseconds:)))
        (waited, changes, mistakes) = (TimeSpan(nanoseconds: stored.waited), stored.changes, stored.mistakes)
        (transmissions, digest) = (stored.transmissions, stored.digest)
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(
            heard: phones.map { $0.heard?.nanoseconds },
            got: phones.map { $0.got?.nanoseconds },
            waits: waits.map(\.nanoseconds),
            meetings: meetings,
            waited: waited.nanoseconds,
            changes: changes,
            mistakes: mistakes,
            transmissions: transmissions,
            digest: digest
        )
        .encode(to: encoder)
    }
}
