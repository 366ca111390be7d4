import BluethroatAirPackets
package import BluethroatBluetoothValues
import BluethroatHCI
package import BluethroatVirtualTime

/// Everything that determines when a controller which only advertises sends, until somebody connects. From it an owner can
/// tell what was on the air without having every frame made.
///
/// The owner gets it from `Controller.lendAdvertising`, and gives it back by `takeBackAdvertising`; or looks at one event by
/// `advertisingAlone`, and has it done by `takeBackAdvertising`.
package struct AdvertisingCourse: Sendable {
    /// When an event begins, and what comes out of the stream of delays after it.
    package struct Mark: Sendable {
        /// By the controller's own clock.
        package let event: Instant
        let delay: SeededRandom
    }

    /// The stage of an exchange with a scanner that received the advertisement on the lowest channel left.
    package enum Request: Sendable {
        /// The radio listens for a request.
        case awaited
        /// A scan request came. The response is due at an instant of the controller's own clock.
        case received(responseDue: Instant)
        /// The scan response is going out.
        case answered
    }

    /// Where the advertising is: before the next event.
    package private(set) var mark: Mark
    /// Bit n is channel 37 + n.
    package let channels: UInt8
    package let power: SignalStrength
    /// From a frame's end to the end of the window for its answer; nil where no answer is listened for.
    package let answerSpan: TimeSpan?
    /// Whether scan requests are answered whoever sends them: neither the filter accept list nor the resolving list matters.
    package let answersEverybody: Bool
    private let interval: TimeSpan

    /// Nothing goes out.
    package static let none = Self()

    private init() {
        mark = Mark(event: .distantFuture, delay: SeededRandom(seed: 0, purpose: "nothing"))
        (channels, power, answerSpan, interval) = (0, SignalStrength(dBm: 0), nil, .zero)
        answersEverybody = false
    }

    init(
        _ advertiser: borrowing Advertiser,
        power: SignalStrength,
        delay: SeededRandom,
        answerSpan: TimeSpan?,
        answersEverybody: Bool
    ) {
        mark = Mark(event: advertiser.nextEvent, delay: delay)
        channels = advertiser.parameters.channelMap & 0b111
        self.power = power
        self.answerSpan = answerSpan
        self.answersEverybody = answersEverybody
        interval = advertiser.interval
    }

    /// From a frame's end to the beginning of that window, which lies around the end of the inter frame space.
    package var answerBegin: TimeSpan? { answerSpan.map { AirTime.interFrameSpace * 2 - $0 } }

    /// The event at the mark is over: the next one comes. By the controller's own clock.
    package mutating func finishEvent(at end: Instant) { finishEvent(mark, at: end) }

    /// The same of an event at an earlier mark, which ended otherwise than was thought.
    package mutating func finishEvent(_ event: Mark, at end: Instant) {
        var delay = event.delay
        let next = Advertiser.next(after: event.event, interval: interval, at: end, delay: &delay)
        mark = Mark(event: next, delay: delay)
    }
}

extension Controller {
    /// Hands over what the radio will do, if the controller does nothing but advertise, and waits for its next event.
    /// Nil where that is not all. It has no deadlines from then on, and must not be called before
    /// `takeBackAdvertising`. The frame is the advertisement as it goes out on each of the channels.
    package func lendAdvertising(at now: Instant) -> (course: AdvertisingCourse, frame: [UInt8])? {
        core.lendAdvertising(at: now)
    }

    /// Whether advertising is on, and no event of it is under way.
    @inline(__always)
    package var waitsToAdvertise: Bool { core.advertiser.phase == .waiting }

    /// The same as `lendAdvertising` returns, also at the instant of the next event; the controller does not change. If that event
    /// gets no answer, the owner may compute it, and then calls `takeBackAdvertising` with the mark after it.
    package var advertisingAlone: (course: AdvertisingCourse, frame: [UInt8])? { core.advertisingAlone }

    /// The advertising is the controller's own again, and waits for the event at the mark.
    package func takeBackAdvertising(_ mark: AdvertisingCourse.Mark) { core.takeBackAdvertising(mark) }

    /// The same in the middle of the event at the mark: a frame is going out, and `transmitted` is to be called at its end. If
    /// there is a request, the frame is out, and what is to be called follows from how far that is. Bit n of `channelsLeft` is
    /// channel 37 + n; the lowest one is that of the frame, and of the answer to it.
    package func takeBackAdvertising(
        _ mark: AdvertisingCourse.Mark,
        _ request: AdvertisingCourse.Request?,
        on channelsLeft: UInt8
    ) {
        core.takeBackAdvertising(mark, request, on: channelsLeft)
    }

    /// The answer to a scan request, as it goes out.
    package var scanResponse: [UInt8] { core.advertiser.response }

    /// Whether the radio scans or initiates at the moment, a request and its answer included.
    package var isObserving: Bool { core.isObserving }

    /// Whether it has to scan or to initiate, be it with pauses.
    package var isObservant: Bool { core.initiator != nil || core.scanner != nil }

    /// Whether a frame that has just come is going to be answered.
    package var isAboutToAnswer: Bool { core.isAboutToAnswer }

    /// The address that requests are for on which it waits at the moment on an advertising channel; nil if it waits for
    /// something else.
    package var requestedAddress: DeviceAddress? { core.requestedAddress }

    /// Whether it may send requests to those whom it hears.
    package var mayRequest: Bool { core.initiator != nil || core.scanner?.parameters.isActive == true }
}

extension ControllerCore {
    mutating func lendAdvertising(at now: Instant) -> (course: AdvertisingCourse, frame: [UInt8])? {
        guard advertiser.nextEvent > now, let alone = advertisingAlone else { return nil }
        advertiser.lend()
        deadlines.giveBackStorage()
        return alone
    }

    var advertisingAlone: (course: AdvertisingCourse, frame: [UInt8])? {
        mutating get {
            guard advertiser.phase == .waiting, advertiser.end == nil, agenda.isFree, !agenda.isExtended,
                connectionCount == 0, scanner == nil, initiator == nil, deadlines.next == nil,
                !advertiser.parameters.ownAddressType.prefersPrivate
            else { return nil }
            let isAnswered = advertiser.isScannable || advertiser.isConnectable
            let course = AdvertisingCourse(
                advertiser,
                power: configuration.transmitPower,
                delay: random.advertisingDelay,
                answerSpan: isAnswered ? answerWindow(after: .zero).until.sinceStart : nil,
                answersEverybody: advertiser.isScannable && advertiser.answersStrangers && resolvingList.isEmpty
            )
            return (course, advertiser.advertisement)
        }
    }

    mutating func takeBackAdvertising(_ mark: AdvertisingCourse.Mark) {
        random.advertisingDelay = mark.delay
        advertiser.takeBack(nextEvent: mark.event)
    }

    mutating func takeBackAdvertising(
        _ mark: AdvertisingCourse.Mark,
        _ request: AdvertisingCourse.Request?,
        on channelsLeft: UInt8
    ) {
        takeBackAdvertising(mark)
        advertiser.channelsLeft = channelsLeft
        advertiser.transmit()
        giveRadio(to: AdvertisingActivity.shared)
        switch request {
        case nil: break
        case .awaited: advertiser.goOn(.listening)
        case .received(let due):
            advertiser.goOn(.turnaround)
            deadlines.arm(.turnaround, at: due)
        case .answered: advertiser.goOn(.answering)
        }
    }

    var requestedAddress: DeviceAddress? {
        mutating get { advertiser.phase == .listening && !isObserving ? advertiser.ownAddress.onAir : nil }
    }

    var isAboutToAnswer: Bool {
        mutating get {
            guard isObserving else { return false }
            return switch observation {
            case .aboutToAsk, .aboutToConnect: true
            case .listening, .asking, .awaitingResponse, .connecting: false
            }
        }
    }
}
