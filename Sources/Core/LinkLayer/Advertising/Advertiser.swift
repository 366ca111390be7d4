import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Legacy advertising: what is said, when, and how far the advertising event in progress is.
/// Core 6.0, Vol 6, Part B, 4.4.2.
struct Advertiser: Sendable {
    /// How far the event in progress is.
    enum Phase: Sendable, Equatable {
        /// Not enabled.
        case off
        /// Between events.
        case waiting
        /// Somebody else computes what goes out: see `AdvertisingCourse`.
        case lent
        /// The next event is due, or the one in progress not over, but the radio is not free for it.
        case heldUp
        /// The PDU for the channel is going out.
        case transmitting
        /// A scanner may ask or an initiator may connect now.
        case listening
        /// A scan request came; the answer is due at the end of the inter frame space.
        case turnaround
        /// The scan response is going out.
        case answering
    }

    /// What an advertiser between two frames waits for.
    enum Timer: Comparable, Sendable {
        /// High duty cycle advertising is over.
        case end
        /// The next event begins.
        case event
    }

    /// Longest time that high duty cycle directed advertising lasts. 4.4.2.4.3.
    static let highDutyDuration = TimeSpan.milliseconds(1_280)
    /// Time between two high duty cycle events at most.
    static let highDutyInterval = TimeSpan.microseconds(3_750)
    /// advDelay at most. 4.4.2.2.1.
    static let longestDelay = TimeSpan.milliseconds(10)

    var parameters = LESetAdvertisingParameters()
    var data: [UInt8] = []
    var scanResponse: [UInt8] = [] { didSet { responder = nil } }

    private(set) var phase = Phase.off
    /// The address advertised with: fixed when advertising is enabled, but for private addresses, which have their time.
    var ownAddress = OwnAddress(public: 0)
    /// The target of directed advertising, as on the air.
    var target = DeviceAddress(value: 0, kind: .public)
    /// When the next event begins, or the one in progress should have begun.
    private(set) var nextEvent = Instant.distantFuture
    /// When high duty cycle advertising ends.
    private(set) var end: Instant?
    private(set) var deadlines = Deadlines<Timer>()
    /// Channels that the event in progress has still to visit, the present one included; bit n is channel 37 + n.
    var channelsLeft: UInt8 = 0
    /// The frames as they go out, made anew whenever what they say changes.
    private(set) var advertisement: [UInt8] = []
    private(set) var response: [UInt8] = []
    /// The address in `response`; nil where the response is not made of what is to be said now.
    private var responder: DeviceAddress?

    var isEnabled: Bool { phase != .off }

    var isConnectable: Bool {
        switch parameters.type {
        case .connectable, .directedHighDutyCycle, .directedLowDutyCycle: true
        case .scannable, .nonConnectable: false
        }
    }

    var isDirected: Bool { parameters.type == .directedHighDutyCycle || parameters.type == .directedLowDutyCycle }

    var isScannable: Bool { parameters.type == .connectable || parameters.type == .scannable }

    /// Whether it answers scan requests of devices that are not on the filter accept list.
    var answersStrangers: Bool {
        switch parameters.filterPolicy {
        case .everybody, .connectionsFromList: true
        case .scansFromList, .onlyFromList: false
        }
    }

    /// The channel to be used now.
    var channel: ChannelIndex { ChannelIndex.advertising[channelsLeft.trailingZeroBitCount] }

    /// Makes the frames from parameters and data.
    mutating func makeFrames(supportsChannelSelection2: Bool) {
        let pdu: AdvertisingPDU =
            switch parameters.type {
            case .connectable:
                .advInd(
                    advertiser: ownAddress.onAir,
                    data: data,
                    supportsChannelSelection2: supportsChannelSelection2
                )
            case .directedHighDutyCycle, .directedLowDutyCycle:
                .advDirectInd(
                    advertiser: ownAddress.onAir,
                    target: target,
                    supportsChannelSelection2: supportsChannelSelection2
                )
            case .scannable: .advScanInd(advertiser: ownAddress.onAir, data: data)
            case .nonConnectable: .advNonconnInd(advertiser: ownAddress.onAir, data: data)
            }
        advertisement = AirFrame.make(advertising: pdu)
        guard responder != ownAddress.onAir else { return }
        response = AirFrame.make(advertising: .scanRsp(advertiser: ownAddress.onAir, data: scanResponse))
        responder = ownAddress.onAir
    }

    // MARK: When

    /// What is due is done by `Controller.goOnAdvertising`.
    mutating func popExpired(at now: Instant) { while deadlines.popExpired(at: now) != nil {} }

    /// Advertising begins, or begins anew.
    mutating func start(at now: Instant, delay stream: inout SeededRandom) {
        channelsLeft = 0
        nextEvent = now
        if parameters.type == .directedHighDutyCycle {
            end = now + Self.highDutyDuration
        } else {
            end = nil
            // Devices switched on together would else collide until their delays have parted them.
            nextEvent += stream.span(upTo: Self.longestDelay)
        }
        wait()
    }

    mutating func stop() {
        phase = .off
        channelsLeft = 0
        end = nil
        nextEvent = .distantFuture
        disarm()
    }

    /// The radio is not free for what is due.
    mutating func holdUp() {
        phase = .heldUp
        deadlines.disarm(.event)
        if let end { deadlines.arm(.end, at: end) }
    }

    mutating func transmit() {
        phase = .transmitting
        disarm()
    }

    /// The event in progress goes on.
    mutating func goOn(_ phase: Phase) { self.phase = phase }

    /// The event is over. The next one begins an interval after this one's beginning, but never before it is over, and
    /// but for high duty cycle a random time later.
    mutating func wait(at now: Instant, delay stream: inout SeededRandom) {
        if parameters.type == .directedHighDutyCycle {
            nextEvent = max(nextEvent + Self.highDutyInterval, now)
        } else {
            nextEvent = Self.next(after: nextEvent, interval: interval, at: now, delay: &stream)
        }
        wait()
    }

    /// From one event to the next, without the delay.
    var interval: TimeSpan { .microseconds(625 * Int64(parameters.minimumInterval)) }

    /// The beginning of the event that follows the one that began at `event`, and is over now.
    static func next(
        after event: Instant,
        interval: TimeSpan,
        at now: Instant,
        delay stream: inout SeededRandom
    ) -> Instant {
        max(event + interval, now) + stream.span(upTo: longestDelay)
    }

    /// Somebody else computes what goes out until `takeBack`.
    mutating func lend() {
        phase = .lent
        disarm()
        deadlines.giveBackStorage()
    }

    mutating func takeBack(nextEvent: Instant) {
        self.nextEvent = nextEvent
        wait()
    }

    private mutating func wait() {
        phase = .waiting
        deadlines.arm(.event, at: nextEvent)
        if let end { deadlines.arm(.end, at: end) } else { deadlines.disarm(.end) }
    }

    private mutating func disarm() {
        deadlines.disarm(.event)
        deadlines.disarm(.end)
    }
}
