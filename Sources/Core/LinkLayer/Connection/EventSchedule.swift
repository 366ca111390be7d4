import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatVirtualTime

/// When the events of a connection are, and on which channels. Core 6.0, Vol 6, Part B, 4.5.
struct EventSchedule: Sendable {
    private(set) var parameters: ConnectionParameters
    /// The counter of the event in progress, or of the next one.
    private(set) var counter: UInt16 = 0
    /// When that event's anchor point is expected; for the event in progress of a peripheral, when it was.
    private(set) var anchor: Instant
    /// How much later than `anchor` the central may begin: after CONNECT_IND and connection updates only.
    private(set) var windowSize: TimeSpan
    /// Events in a row that did not take place because the radio was used for something else.
    private(set) var missedInARow = 0

    private var hopping: ChannelHopping
    /// Events before the next one that a peripheral sleeps through.
    private var slept = 0
    /// For a peripheral, the last anchor point heard: what its uncertainty grows from.
    private var lastSynchronized: Instant
    /// Whether the anchor points are the peer's, as they are for a peripheral.
    private let followsPeer: Bool
    /// The sum of both sides' sleep clock accuracies in parts per million.
    private let clockError: Int64

    init(
        _ indication: ConnectIndication,
        role: ConnectionRole,
        usesSecondAlgorithm: Bool,
        accuracy: SleepClockAccuracy,
        firstAnchor: Instant,
        at now: Instant
    ) {
        parameters = indication.parameters
        hopping = ChannelHopping(indication, usesSecondAlgorithm: usesSecondAlgorithm)
        anchor = firstAnchor
        lastSynchronized = now
        followsPeer = role == .peripheral
        windowSize = followsPeer ? indication.window.size : .zero
        clockError = indication.sleepClockAccuracy.partsPerMillion + accuracy.partsPerMillion
    }

    // MARK: When

    /// How far an anchor point may be off on either side, for a peripheral. 4.2.4, 4.5.7.
    func windowWidening(at anchor: Instant) -> TimeSpan {
        guard followsPeer else { return .zero }
        let elapsed = (anchor - lastSynchronized).nanoseconds
        let drift = (elapsed / 1_000) * clockError / 1_000 + 1
        // 16 µs for the jitter of both ends.
        let widening = TimeSpan(nanoseconds: drift + 16_000)
        let most = parameters.interval.span / 2 - AirTime.interFrameSpace
        return min(widening, most)
    }

    /// When the radio must be ready for the next event, whose anchor a connection update may move by `offset`.
    func nextStart(offset: TimeSpan) -> Instant {
        let planned = anchor + offset
        return planned - windowWidening(at: planned)
    }

    /// An instant that leaves the peer, even one that sleeps, six chances to hear of it. 5.1.1.
    func futureInstant(duringEvent: Bool) -> UInt16 {
        counter &+ 6 * (1 + parameters.latency.events) &+ (duringEvent ? 1 : 0)
    }

    /// Whether an instant is now or to come: less than 32 767 events ahead. 5.5.
    func isNotPast(_ instant: UInt16) -> Bool { instant &- counter < 32_767 }

    // MARK: Channels

    var channelMap: ChannelMap { hopping.channelMap }

    mutating func use(_ map: ChannelMap) { hopping.channelMap = map }

    /// The channel of the event that begins now.
    mutating func channel() -> ChannelIndex { hopping.channel(event: counter) }

    /// The channel of the event that begins next.
    var channelAhead: ChannelIndex {
        var hopping = hopping
        return hopping.channel(event: counter)
    }

    // MARK: What happens

    /// The central was heard: its anchor point is the measure for the events to come.
    mutating func synchronize(to start: Instant) {
        anchor = start
        lastSynchronized = start
        windowSize = .zero
    }

    /// Another interval, latency and timeout, from the event that begins now.
    mutating func use(_ parameters: ConnectionParameters) { self.parameters = parameters }

    /// A connection update takes effect: the anchor point moves.
    mutating func move(_ window: ConnectionUpdateIndication) {
        anchor += .microseconds(1_250 * Int64(window.windowOffsetSteps))
        if followsPeer { windowSize = .microseconds(1_250 * Int64(window.windowSizeSteps)) }
    }

    /// The event in progress is over. The next one is `count` events on.
    mutating func end(isMissed: Bool, next count: Int) {
        missedInARow = isMissed ? missedInARow + 1 : 0
        slept = count - 1
        advance(by: count)
    }

    /// An event goes by without the radio.
    mutating func miss() {
        missedInARow += 1
        skip()
    }

    /// An event is over before it could begin.
    mutating func skip() {
        slept = 0
        advance(by: 1)
    }

    /// A peripheral that meant to sleep takes part in the next event there is; false if it sleeps through none.
    mutating func wake(before start: Instant, at now: Instant) -> Bool {
        guard slept > 0 else { return false }
        let spare = (start - now).nanoseconds
        let count = min(slept, Int(max(0, (spare - 1) / parameters.interval.span.nanoseconds)))
        guard count > 0 else { return false }
        slept -= count
        advance(by: -count)
        return true
    }

    private mutating func advance(by count: Int) {
        counter &+= UInt16(truncatingIfNeeded: count)
        anchor += parameters.interval.span * Int64(count)
        hopping.skip(count)
    }
}
