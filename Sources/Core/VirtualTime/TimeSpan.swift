/// A length of time in nanoseconds, negative ones included; ±292 years.
public struct TimeSpan: Hashable, Comparable, Sendable {
    public let nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable
    public static func nanoseconds(_ count: Int64) -> Self { Self(nanoseconds: count) }
    @inlinable
    public static func microseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000) }
    @inlinable
    public static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000) }
    @inlinable
    public static func seconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000_000) }

    /// The nearest nanosecond to so many seconds, for figures that people type; nil if out of range or not a number.
    public static func seconds(approximating count: Double) -> Self? {
        let nanoseconds = count * 1e9
        guard nanoseconds.magnitude < 0x1p63 else { return nil }
        // Not `rounded()`: it would make every program link the C library's mathematics.
        return Self(nanoseconds: Int64(nanoseconds + (nanoseconds < 0 ? -0.5 : 0.5)))
    }

    @inlinable
    public static var zero: Self { Self(nanoseconds: 0) }

    /// Whole microseconds, rounded towards zero.
    @inlinable
    public var microseconds: Int64 { nanoseconds / 1_000 }
    /// Whole milliseconds, rounded towards zero.
    @inlinable
    public var milliseconds: Int64 { nanoseconds / 1_000_000 }
    /// Seconds as a fraction, for people and JSON; never for arithmetic below the edges.
    public var inSeconds: Double { Double(nanoseconds) / 1e9 }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
    @inlinable
    public static func + (left: Self, right: Self) -> Self { Self(nanoseconds: left.nanoseconds + right.nanoseconds) }
    @inlinable
    public static func - (left: Self, right: Self) -> Self { Self(nanoseconds: left.nanoseconds - right.nanoseconds) }
    @inlinable
    public static prefix func - (span: Self) -> Self { Self(nanoseconds: -span.nanoseconds) }
    @inlinable
    public static func * (span: Self, factor: Int64) -> Self { Self(nanoseconds: span.nanoseconds * factor) }
    @inlinable
    public static func * (factor: Int64, span: Self) -> Self { span * factor }
    @inlinable
    public static func / (span: Self, divisor: Int64) -> Self { Self(nanoseconds: span.nanoseconds / divisor) }
    /// How many whole times `divisor` fits.
    @inlinable
    public static func / (span: Self, divisor: Self) -> Int64 { span.nanoseconds / divisor.nanoseconds }
    @inlinable
    public static func % (span: Self, divisor: Self) -> Self {
        Self(nanoseconds: span.nanoseconds % divisor.nanoseconds)
    }
    @inlinable
    public static func += (left: inout Self, right: Self) { left = left + right }
    @inlinable
    public static func -= (left: inout Self, right: Self) { left = left - right }
}

extension TimeSpan: CustomStringConvertible {
    /// Seconds with the digits that matter, e.g. `0.00015 s`.
    public var description: String { "\(inSeconds) s" }
}
