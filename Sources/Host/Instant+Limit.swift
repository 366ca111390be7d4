package import VirtualTime

extension Instant {
    /// The instant after a duration that a caller has chosen: one that leads past the last instant ends there, at
    /// `distantFuture`, when nothing runs out.
    package func after(_ span: TimeSpan) -> Instant {
        let (sum, hasOverflowed) = nanoseconds.addingReportingOverflow(span.nanoseconds)
        guard hasOverflowed else { return Instant(nanoseconds: sum) }
        return span < .zero ? Instant(nanoseconds: .min) : .distantFuture
    }
}
