import BluethroatVirtualTime

/// What the calendar showed when a world began, so that captures carry dates.
public struct CaptureEpoch: Hashable, Sendable {
    /// Nanoseconds from 1970-01-01 00:00 UTC to `Instant.zero`.
    public let unixNanoseconds: Int64

    public init(unixNanoseconds: Int64) { self.unixNanoseconds = unixNanoseconds }

    /// The world begins on 1970-01-01: for virtual time, where the same seed shall give the same file.
    public static let unix = Self(unixNanoseconds: 0)

    /// Nanoseconds since 1970 at an instant of the world; 0 for what lies before.
    func nanosecondsSince1970(at instant: Instant) -> UInt64 {
        UInt64(clamping: unixNanoseconds.addingReportingOverflow(instant.nanoseconds).partialValue)
    }
}
