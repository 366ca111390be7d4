import BluethroatVirtualTime

extension TimeSpan {
    /// To the nanosecond; what is longer than 292 years is that long.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, secondOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        self.init(nanoseconds: overflow || secondOverflow ? (seconds < 0 ? -.max : .max) : sum)
    }
}

extension Instant {
    /// Time since the world began.
    var duration: Duration { .nanoseconds(nanoseconds) }

    /// So much later; never later than the end of time.
    func advanced(by duration: Duration) -> Self { after(TimeSpan(duration)) }
}

extension Duration {
    /// Seconds with the digits that matter: `1.25 s`.
    var text: String { TimeSpan(self).description }

    /// How many whole steps of a length there are in it, from 0 to 65,535.
    func steps(of step: Duration) -> UInt16 { UInt16(max(0, min(self / step, 65_535))) }
}
