public import BluethroatAirPackets
public import BluethroatBluetoothValues
public import BluethroatRadioMedium
import BluethroatVirtualTime

/// Follows a connection of others from its CONNECT_IND on, and can send in its central's place.
///
/// Three radios at one place wait on the three advertising channels; the one that hears the CONNECT_IND follows. What is
/// said in the clear about hopping and parameters is obeyed; once the link is encrypted such changes go unnoticed, and
/// the connection is then lost, as it is to any sniffer without the key.
public final class LinkFollower {
    /// What came of a PDU that was sent in the central's place.
    public enum Injection: Sendable, Equatable {
        /// The peripheral has answered to it and acknowledged it.
        case accepted
        /// The peripheral has answered to it, and asks for it again: it came damaged, or with the wrong number.
        case refused
        /// No answer came at its time.
        case unanswered
    }

    /// The event that is on, or comes next; nil before a connection was heard of.
    public private(set) var schedule: ConnectionSchedule?
    /// Events in a row of which nothing was heard.
    public private(set) var missedEvents = 0
    /// Whether LL_START_ENC_REQ was heard.
    public private(set) var isEncrypted = false
    /// What came of each PDU injected, in order.
    public private(set) var injections: [Injection] = []
    /// Called with each frame of the connection.
    public var whenHeard: ((HeardFrame, _ sender: ConnectionRole) -> Void)?
    /// Called 0.5 ms before each event, or earlier where its time is less certain.
    public var beforeEvent: ((ConnectionSchedule) -> Void)?
    /// How accurate the peripheral's sleep clock is held to be. The better one that is assumed, the later an injected
    /// PDU begins; one that begins before the peripheral listens is lost.
    public var assumedPeripheralAccuracy = SleepClockAccuracy.upTo20
    /// The power of what is injected.
    public var power = SignalStrength(dBm: 0)

    private let reference: WorldReference
    private let radios: [RawRadio]
    private var radio: RawRadio
    private let advertiser: DeviceAddress?
    private var advertiserKnowsSecondAlgorithm = false
    /// The last frame of this event, what was injected included: its end, and who sent it.
    private var last: (end: Instant, sender: ConnectionRole)?
    /// The last header of the peripheral; nil where one may have been missed since.
    private var peripheralHeader: DataHeader?
    private var waiting: (header: DataHeader.LogicalLink, payload: [UInt8])?
    /// What was injected in this event and not answered yet.
    private var injected: (sequenceNumber: Bool, pdu: ControlPDU?)?
    private var isOver = false

    /// Waits for a connection to an advertiser, or to any where none is given.
    public init(
        in world: World,
        named name: String = "follower",
        at position: Position = .origin,
        waitingFor advertiser: DeviceAddress? = nil
    ) {
        reference = world.reference
        self.advertiser = advertiser
        radios = ChannelIndex.advertising.map { world.addRawRadio(named: "\(name) \($0.index)", at: position) }
        radio = radios[0]
        for (radio, channel) in zip(radios, ChannelIndex.advertising) {
            radio.whenHeard = { [weak self, unowned radio] in self?.heardAdvertising($0, by: radio) }
            radio.listen(on: channel)
        }
    }

    /// Sends a PDU in the central's place at the first event that comes after one that was heard whole: in the
    /// peripheral's receive window, before the central itself. `injections` shows the result.
    public func inject(_ logicalLink: DataHeader.LogicalLink, _ payload: [UInt8]) { waiting = (logicalLink, payload) }

    /// The same for an LL control PDU; what it announces counts for this follower, too.
    public func inject(_ pdu: ControlPDU) {
        var payload: [UInt8] = []
        pdu.write(to: &payload)
        inject(.control, payload)
    }

    /// Stops following, and goes on as the central itself from the present event on: for `beforeEvent`. Nil where the
    /// last event was not heard whole, so that the sequence numbers are not known.
    public func takeOver() -> RawCentral? {
        guard let world = reference.world, let schedule, let header = peripheralHeader else { return nil }
        stop()
        return RawCentral(
            in: world,
            radio: radio,
            schedule: schedule,
            sequenceNumber: header.nextExpectedSequenceNumber,
            nextExpected: !header.sequenceNumber
        )
    }

    /// Ends all listening for good.
    public func stop() {
        isOver = true
        for radio in radios {
            radio.whenHeard = nil
            radio.stop()
        }
    }

    // MARK: Before the connection

    private func heardAdvertising(_ frame: HeardFrame, by radio: RawRadio) {
        guard schedule == nil else { return heardData(frame) }
        switch frame.advertisingPDU {
        case .advInd(let address, _, let canUseSecond) where advertiser ?? address == address,
            .advDirectInd(let address, _, let canUseSecond) where advertiser ?? address == address:
            advertiserKnowsSecondAlgorithm = canUseSecond
        case .connectInd(let indication) where advertiser ?? indication.advertiser == indication.advertiser:
            for other in radios where other !== radio { other.stop() }
            self.radio = radio
            let schedule = ConnectionSchedule(
                indication,
                requestEnd: frame.end,
                usesSecondAlgorithm: indication.supportsChannelSelection2 && advertiserKnowsSecondAlgorithm
            )
            self.schedule = schedule
            planEvent(schedule)
        default: break
        }
    }

    // MARK: Events

    /// How long before the anchor point an event is prepared.
    private func lead(_ schedule: ConnectionSchedule) -> TimeSpan {
        max(.microseconds(500), schedule.windowWidening(peripheral: .upTo500))
    }

    private func planEvent(_ schedule: ConnectionSchedule) {
        guard let world = reference.world else { return }
        let instant = max(world.now, schedule.anchor - lead(schedule))
        world.schedule(at: instant) { [weak self] _ in self?.beginEvent() }
    }

    private func beginEvent() {
        guard !isOver, let schedule else { return }
        beforeEvent?(schedule)
        guard !isOver, let world = reference.world else { return }
        last = nil
        listen(to: .central, schedule)
        if waiting != nil, peripheralHeader != nil { sendInjection(schedule) }
        let close = schedule.anchor + schedule.parameters.interval.span - lead(schedule) * 2
        world.schedule(at: max(close, world.now)) { [weak self] _ in self?.endEvent() }
    }

    private func endEvent() {
        guard !isOver, var schedule else { return }
        if injected != nil {
            injections.append(.unanswered)
            injected = nil
            peripheralHeader = nil
        }
        if last?.sender != .peripheral { peripheralHeader = nil }
        missedEvents = last == nil ? missedEvents + 1 : 0
        schedule.advance()
        self.schedule = schedule
        planEvent(schedule)
    }

    private func listen(to sender: ConnectionRole, _ schedule: ConnectionSchedule) {
        radio.listen(
            on: schedule.channel,
            phy: sender == .central ? schedule.centralPHY : schedule.peripheralPHY,
            accessAddress: schedule.accessAddress,
            crcInit: schedule.crcInit
        )
    }

    private func sendInjection(_ schedule: ConnectionSchedule) {
        guard let (logicalLink, payload) = waiting, let heard = peripheralHeader else { return }
        waiting = nil
        let header = DataHeader(
            logicalLink,
            nextExpectedSequenceNumber: !heard.sequenceNumber,
            sequenceNumber: heard.nextExpectedSequenceNumber
        )
        let frame = RawFrame(
            accessAddress: schedule.accessAddress,
            header: header,
            payload: payload,
            crcInit: schedule.crcInit
        )
        let start = schedule.anchor - schedule.windowWidening(peripheral: assumedPeripheralAccuracy)
        radio.transmit(frame, on: schedule.channel, phy: schedule.centralPHY, power: power, at: start)
        last = (start + AirTime.span(ofFrame: frame.bytes, phy: schedule.centralPHY), .central)
        var bytes = payload.span.bytes
        let pdu = logicalLink == .control ? try? ControlPDU(parsing: &bytes) : nil
        injected = (header.sequenceNumber, pdu)
    }

    // MARK: Frames

    private func heardData(_ frame: HeardFrame) {
        guard let schedule, let sender = sender(of: frame, schedule) else { return }
        let isFirst = last == nil
        last = (frame.end, sender)
        switch sender {
        case .central: heardCentral(frame, isFirst: isFirst, schedule)
        case .peripheral: heardPeripheral(frame)
        }
        listen(to: sender == .central ? .peripheral : .central, schedule)
        whenHeard?(frame, sender)
    }

    /// The two take turns; the first frame of an event is the central's if it comes at its time. Nil, after an
    /// injection, for what is not the answer to it.
    private func sender(of frame: HeardFrame, _ schedule: ConnectionSchedule) -> ConnectionRole? {
        if let (end, sender) = last, abs((frame.start - end - AirTime.interFrameSpace).nanoseconds) < 5_000 {
            return sender == .central ? .peripheral : .central
        }
        if injected != nil { return nil }
        let latest = schedule.anchor + schedule.windowSize + schedule.windowWidening(peripheral: .upTo20)
        return last == nil && frame.start <= latest ? .central : .peripheral
    }

    private func heardCentral(_ frame: HeardFrame, isFirst: Bool, _ schedule: ConnectionSchedule) {
        var schedule = schedule
        if isFirst { schedule.synchronize(to: frame.start) }
        if !isEncrypted, let pdu = frame.controlPDU { schedule.announce(pdu) }
        self.schedule = schedule
    }

    private func heardPeripheral(_ frame: HeardFrame) {
        peripheralHeader = frame.dataHeader
        if frame.controlPDU == .startEncReq { isEncrypted = true }
        guard let (sequenceNumber, pdu) = injected else { return }
        injected = nil
        guard frame.dataHeader?.nextExpectedSequenceNumber == !sequenceNumber else {
            return injections.append(.refused)
        }
        injections.append(.accepted)
        if let pdu { schedule?.announce(pdu) }
    }
}
