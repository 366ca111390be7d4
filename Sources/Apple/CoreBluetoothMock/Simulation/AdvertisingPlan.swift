import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// Which of its configurations a device advertises when.
///
/// A controller advertises one thing at a time. A single configuration is left to it; several take turns, each long enough
/// for one advertising event, as devices do that alternate between frames.
struct AdvertisingPlan {
    private struct Entry {
        let content: AdvertisementContent
        /// Nil is once.
        let interval: TimeSpan?
        let isForConnected: Bool
        /// When it is due next; nil for no more.
        var due: Instant?
    }

    /// What is to be advertised, and until when; nil until something else is wanted.
    struct Turn {
        let content: AdvertisementContent
        let interval: AdvertisingInterval
        let isForConnected: Bool
        var length: TimeSpan?
    }

    private var entries: [Entry] = []

    /// More than the random delay before an advertising event, less than until the second. Core 6.0, Vol 6, Part B, 4.4.2.2.
    private static let turnLength = TimeSpan.milliseconds(15)
    private static let shortest = AdvertisingInterval(steps: 0x20).unsafelyUnwrapped

    init() {}

    init(_ configs: [CBMAdvertisementConfig], at now: Instant) {
        // Neither at once nor again is never.
        entries = configs.filter { $0.interval > 0 || $0.delay > 0 }.map { config in
            Entry(
                content: AdvertisementContent(config.data),
                interval: config.interval > 0 ? TimeSpan(seconds: config.interval) : nil,
                isForConnected: config.isAdvertisingWhenConnected,
                due: now.after(TimeSpan(seconds: config.delay))
            )
        }
    }

    /// Another app is to connect, whatever else is advertised.
    mutating func addInvitation(at now: Instant) {
        let content = AdvertisementContent([CBMAdvertisementDataIsConnectable: true])
        entries.append(Entry(content: content, interval: .milliseconds(100), isForConnected: false, due: now))
    }

    /// The keys that are in a configuration, and on no packet.
    var leftOut: [String] { entries.flatMap(\.content.leftOut) }

    /// When something is due, for a device that advertises nothing at the moment.
    func nextDue(isConnected: Bool) -> Instant? { eligible(isConnected).compactMap { entries[$0].due }.min() }

    /// What is to be advertised from now on; nil if nothing is due.
    mutating func next(at now: Instant, isConnected: Bool) -> Turn? {
        let eligible = eligible(isConnected)
        let due = eligible.filter { entries[$0].due.unsafelyUnwrapped <= now }
        guard let index = due.min(by: { entries[$0].due.unsafelyUnwrapped < entries[$1].due.unsafelyUnwrapped }) else {
            return nil
        }
        let entry = entries[index]
        func turn(_ interval: AdvertisingInterval, _ length: TimeSpan?) -> Turn {
            Turn(content: entry.content, interval: interval, isForConnected: entry.isForConnected, length: length)
        }
        if eligible.count == 1, let interval = entry.interval.flatMap(AdvertisingInterval.init(nearest:)) {
            return turn(interval, nil)
        }
        entries[index].due = entry.interval.map { max(entry.due.unsafelyUnwrapped.after($0), now) }
        return turn(Self.shortest, Self.turnLength)
    }

    /// Those that are due now or later, while so many centrals are connected.
    private func eligible(_ isConnected: Bool) -> [Int] {
        entries.indices.filter { entries[$0].due != nil && (!isConnected || entries[$0].isForConnected) }
    }
}

extension AdvertisingInterval {
    /// The longest that is not longer, and 20 ms at least; nil for more than a controller takes.
    fileprivate init?(nearest span: TimeSpan) {
        self.init(steps: UInt16(clamping: max(span.nanoseconds / 625_000, 0x20)))
    }
}

extension TimeSpan {
    /// Seconds of an app: not less than none, not more than 30 years.
    init(seconds: Double) { self = .nanoseconds(Int64(min(max(0, seconds) * 1e9, 1e18).rounded())) }
}
