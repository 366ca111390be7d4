import BluethroatVirtualTime

extension Instant {
    /// Since the world began.
    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension TimeSpan {
    var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Nil for what no span of this type can hold.
    init?(seconds: Double) {
        guard seconds.isFinite, abs(seconds) < 9e9 else { return nil }
        self.init(nanoseconds: Int64(seconds * 1e9))
    }
}
