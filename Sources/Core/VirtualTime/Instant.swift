/// A point on a world's own time line, in nanoseconds since the world began.
public struct Instant: Hashable, Comparable, Sendable {
    public let nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// When the world began.
    @inlinable
    public static var zero: Self { Self(nanoseconds: 0) }
    /// Later than anything that happens.
    @inlinable
    public static var distantFuture: Self { Self(nanoseconds: .max) }

    /// Time since the world began.
    @inlinable
    public var sinceStart: TimeSpan { TimeSpan(nanoseconds: nanoseconds) }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
    @inlinable
    public static func + (instant: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: instant.nanoseconds + span.nanoseconds)
    }
    @inlinable
    public static func - (instant: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: instant.nanoseconds - span.nanoseconds)
    }
    @inlinable
    public static func - (left: Self, right: Self) -> TimeSpan {
        TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
    }
    @inlinable
    public static func += (instant: inout Self, span: TimeSpan) { instant = instant + span }

    /// The instant after a duration that a caller has chosen: one that leads past the last instant ends there, at
    /// `distantFuture`, when nothing runs out. `+` is for durations that are known to fit.
    public func after(_ span: TimeSpan) -> Self {
        let (sum, hasOverflowed) = nanoseconds.addingReportingOverflow(span.nanoseconds)
        guard hasOverflowed else { return Self(nanoseconds: sum) }
        return span < .zero ? Self(nanoseconds: .min) : .distantFuture
    }
}

extension Instant: CustomStringConvertible {
    public var description: String { "@\(sinceStart.inSeconds) s" }
}
