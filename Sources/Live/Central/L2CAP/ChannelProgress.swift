import BluethroatVirtualTime

/// How far a transfer is, as a line that is overwritten in place on a terminal.
struct ChannelProgress {
    private(set) var sent = 0
    private(set) var received = 0
    /// What there is to send, where that is known.
    private let total: Int?
    private let began: Instant
    private let show: ((String) -> Void)?
    private var lastShown: Instant?

    init(total: Int?, at now: Instant, show: ((String) -> Void)? = nil) {
        self.total = total
        began = now
        self.show = show
    }

    mutating func add(sent: Int = 0, received: Int = 0, at now: Instant) {
        self.sent += sent
        self.received += received
        guard let show, now >= (lastShown ?? began) + .milliseconds(200) else { return }
        lastShown = now
        show("\r" + line(at: now) + "\u{1B}[K")
    }

    /// Makes room for other words.
    func end() { if lastShown != nil { show?("\r\u{1B}[K") } }

    /// `[######--------------]  30 %  0.6 of 2.0 MB, 98.1 kB/s`
    func line(at now: Instant) -> String {
        let rate = Self.amount(Int(Double(sent + received) / max((now - began).inSeconds, 0.001)), "/s")
        guard let total, total > 0 else {
            return "sent \(Self.amount(sent)), received \(Self.amount(received)), \(rate)"
        }
        let share = min(sent * 20 / total, 20)
        let bar = String(repeating: "#", count: share) + String(repeating: "-", count: 20 - share)
        let percent = String(min(sent * 100 / total, 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        return "[\(bar)] \(padding)\(percent) %  \(Self.amount(sent)) of \(Self.amount(total)), \(rate)"
    }

    /// What a transfer came to.
    func summary(at now: Instant) -> String {
        let seconds = (now - began).inSeconds
        let rate = Self.amount(Int(Double(sent + received) / max(seconds, 0.001)), "/s")
        let tenths = Int((seconds * 10).rounded())
        return "sent \(sent) bytes, received \(received) bytes in \(tenths / 10).\(tenths % 10) s (\(rate))"
    }

    /// How long it has taken.
    func span(at now: Instant) -> TimeSpan { now - began }

    /// `512 B`, `98.1 kB`, `2.0 MB`
    private static func amount(_ bytes: Int, _ suffix: String = "") -> String {
        switch bytes {
        case ..<1_000: return "\(bytes) B" + suffix
        case ..<1_000_000: return "\(bytes / 1_000).\(bytes % 1_000 / 100) kB" + suffix
        default: return "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB" + suffix
        }
    }
}
