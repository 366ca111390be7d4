import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// A device that does nothing but advertise: what goes out when follows from it, without the device. A crowd keeps one
/// while nothing else happens to the device; an exact air makes one for a single event that nobody receives.
///
/// Plain numbers, without the bytes of its frame: it is read in very many places, and a copy costs nothing.
struct QuietAdvertiser {
    let radio: RadioID
    let device: DeviceID
    /// Wake-ups scheduled for another one in the same place are told by it; 0 while there is none.
    private(set) var generation: UInt32
    let drift: ClockDrift
    private let frameSpan: TimeSpan
    /// How much later than others a device of a divided world learns that nobody has answered.
    private let delay: TimeSpan
    /// Its mark is the event that comes next.
    private(set) var course: AdvertisingCourse
    /// The event before, which may be in progress.
    private(set) var present: AdvertisingCourse.Mark
    /// The start of that event, or of its part that follows the latest request, and the end of its last window for an answer, by
    /// the world's clock.
    private(set) var presentStart: Instant
    private(set) var presentEnd: Instant
    /// The channels that it visits from `presentStart` on; bit n is channel 37 + n.
    private(set) var presentChannels: UInt8 = 0
    /// The stage of an exchange with a scanner; nil outside of one. The rest of the event waits until it is over.
    private(set) var request: AdvertisingCourse.Request?
    /// The number of the frame that was heard.
    private var heardFrame: UInt8 = 0
    /// Whether a frame that goes out now is being put on the air: it has no ID yet.
    var isBeginning = false
    /// When the next event begins, by the world's clock.
    private(set) var nextStart: Instant
    /// Frames of the present event that went on the air, by their channels.
    var onAirChannels: UInt8 = 0
    /// Those for whose frames a wake-up is scheduled.
    var plannedChannels: UInt8 = 0
    /// Those whose frames have begun, at this instant at the latest: who comes near now has missed their beginning.
    private(set) var begunChannels: UInt8 = 0
    /// Whether the world has a wake-up scheduled for the next event.
    var isAwake = false
    var position: Position
    /// The crowd's cell in which it is, and its place there; -1 for none. It keeps both while its device has its advertising
    /// and does not leave the cell, since it mostly comes back within milliseconds.
    var cell: Int
    var placeInCell: Int
    /// The frame that went on the air last.
    var transmission: TransmissionID?

    /// - Parameter frame: what goes out on each of its channels.
    init(
        _ course: AdvertisingCourse,
        frame: [UInt8],
        radio: RadioID,
        device: DeviceID,
        generation: UInt32 = 0,
        drift: ClockDrift,
        delay: TimeSpan = .zero,
        at position: Position = .origin
    ) {
        self.delay = course.answerSpan == nil ? .zero : delay
        self.radio = radio
        self.device = device
        self.generation = generation
        self.drift = drift
        self.course = course
        self.position = position
        frameSpan = AirTime.span(ofFrame: frame, phy: .le1M)
        present = course.mark
        nextStart = drift.world(from: course.mark.event)
        // None yet.
        presentStart = Instant(nanoseconds: .min / 2)
        presentEnd = presentStart
        cell = 0
        placeInCell = -1
    }

    /// A place in which nobody advertises.
    static let nobody = Self(
        .none,
        frame: [],
        radio: RadioID(rawValue: 0),
        device: DeviceID(rawValue: 0),
        drift: .none
    )

    var isPresent: Bool { generation != 0 }

    /// Whether it has a place in a cell.
    var isListed: Bool { placeInCell >= 0 }

    /// Its advertising is its device's again.
    mutating func leave() {
        generation = 0
        transmission = nil
    }

    /// Those of the present event whose frames are not on the air.
    var missingChannels: UInt8 { presentChannels & ~onAirChannels }

    /// The frames of an event.
    var frameCount: Int { course.channels.nonzeroBitCount }

    /// Those of the present one from `presentStart` on.
    var presentFrameCount: Int { presentChannels.nonzeroBitCount }

    /// Whether a request may come now.
    var awaitsRequest: Bool { if case .awaited = request { true } else { false } }

    /// Whether a scan response is going out.
    var isAnswering: Bool { if case .answered = request { true } else { false } }

    /// From the beginning of an event to its end, by the world's clock, and a little more.
    var longestEvent: TimeSpan { (frameSpan + (course.answerSpan ?? .zero) + delay) * 3 + .microseconds(10) }

    /// The event whose time has come is the present one.
    mutating func beginEvent() {
        present = course.mark
        presentStart = nextStart
        presentChannels = course.channels
        presentEnd = start(ofFrame: presentFrameCount)
        (onAirChannels, plannedChannels, begunChannels) = (0, 0, 0)
        course.finishEvent(at: drift.local(from: presentEnd - delay))
        nextStart = drift.world(from: course.mark.event)
    }

    /// Whether the present event goes on.
    func isInEvent(at now: Instant) -> Bool {
        request != nil || now <= presentEnd && presentStart <= now && presentChannels != 0
    }

    /// Whether advertisements of the present event may be on the medium, which is `lag` behind. False during an exchange with a
    /// scanner: the start of the next advertisement is not known then.
    func isOnAir(at now: Instant, _ lag: TimeSpan) -> Bool {
        request == nil && now <= presentEnd + lag && presentStart <= now
    }

    /// How many of its events have begun by now without having been noticed; they are begun.
    mutating func catchUp(to now: Instant) -> Int {
        var count = 0
        while nextStart < now {
            beginEvent()
            count += 1
        }
        return count
    }

    /// When a frame of the present event begins; the number after the last one stands for the event's end.
    func start(ofFrame number: Int) -> Instant {
        guard let answerSpan = course.answerSpan else { return presentStart + Int64(number) * frameSpan }
        guard drift != .none else { return presentStart + Int64(number) * (frameSpan + answerSpan + delay) }
        var start = presentStart
        for _ in 0..<number {
            start = drift.world(from: drift.local(from: start + frameSpan) + answerSpan) + delay
        }
        return start
    }

    /// The frames of the present event that begin by now have begun.
    mutating func noteBegun(at now: Instant) {
        var left = presentChannels & ~begunChannels
        while left != 0 {
            let bit = left & (0 &- left)
            guard start(ofFrameOn: bit) <= now else { return }
            begunChannels |= bit
            left &= left &- 1
        }
    }

    /// Whether frames follow on each other without a pause.
    var isBeacon: Bool { course.answerSpan == nil }

    /// How many frames of the present event begin later.
    func framesToCome(after now: Instant) -> Int {
        guard isInEvent(at: now) else { return 0 }
        return presentFrameCount - 1 - latestFrame(at: now)
    }

    /// The number of the present event's frame that began last.
    func latestFrame(at now: Instant) -> Int {
        request != nil ? Int(heardFrame) : (0..<presentFrameCount).last { start(ofFrame: $0) <= now } ?? 0
    }

    func end(ofFrame number: Int) -> Instant { start(ofFrame: number) + frameSpan }

    /// The channels that an event has still to visit when it comes to the frame with a number, that of the frame included.
    func channelsLeft(fromFrame number: Int) -> UInt8 {
        var left = presentChannels
        for _ in 0..<number { left &= left &- 1 }
        return left
    }

    /// The number of the present event's frame on one of its channels, by the channel's bit.
    func number(ofFrameOn bit: UInt8) -> Int { (presentChannels & (bit - 1)).nonzeroBitCount }

    func start(ofFrameOn bit: UInt8) -> Instant { start(ofFrame: number(ofFrameOn: bit)) }

    func transmission(of frame: [UInt8], number: Int, on channel: Int) -> Transmission {
        transmission(of: frame, on: channel, at: start(ofFrame: number), for: frameSpan)
    }

    private func transmission(of frame: [UInt8], on channel: Int, at start: Instant, for span: TimeSpan) -> Transmission
    {
        Transmission(
            radio: radio,
            channel: ChannelIndex.advertising[channel],
            phy: .le1M,
            power: course.power,
            syncWord: AccessAddress.advertising.rawValue,
            start: start,
            end: start + span,
            frame: frame
        )
    }

    // MARK: Requests

    /// A scanner received the frame of the present event that ended at `end`, and may send a request. Answers the window in which
    /// that has to begin; nil if there is no such frame, or requests are not answered.
    mutating func awaitRequest(afterFrameUntil end: Instant) -> (since: Instant, until: Instant)? {
        guard let begin = course.answerBegin, let span = course.answerSpan,
            let number = (0..<presentFrameCount).first(where: { self.end(ofFrame: $0) == end })
        else { return nil }
        (request, heardFrame) = (.awaited, UInt8(number))
        let local = drift.local(from: end)
        return (drift.world(from: local + begin), drift.world(from: local + span))
    }

    /// The channel of the frame that was heard, from 0 for 37.
    var heardChannel: Int { channelsLeft(fromFrame: Int(heardFrame)).trailingZeroBitCount }

    /// A scan request has ended then. When the response is due.
    mutating func takeRequest(at end: Instant) -> Instant {
        let due = drift.local(from: end) + AirTime.interFrameSpace
        request = .received(responseDue: due)
        return drift.world(from: due)
    }

    /// The response, as it begins now.
    mutating func answer(_ response: [UInt8], at now: Instant) -> Transmission {
        request = .answered
        return transmission(of: response, on: heardChannel, at: now, for: AirTime.span(ofFrame: response, phy: .le1M))
    }

    /// The window for a request, or the response, ended at `end`, of which the device learns now: the event goes on with its next
    /// channel.
    mutating func goOn(after end: Instant, at now: Instant) {
        presentChannels = channelsLeft(fromFrame: Int(heardFrame) + 1)
        request = nil
        (onAirChannels, plannedChannels, begunChannels) = (0, 0, 0)
        presentStart = now
        presentEnd = start(ofFrame: presentFrameCount)
        course.finishEvent(present, at: drift.local(from: presentChannels == 0 ? end : presentEnd - delay))
        nextStart = drift.world(from: course.mark.event)
    }
}
