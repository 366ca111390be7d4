public import BluethroatAirPackets
public import BluethroatBluetoothValues
public import BluethroatRadioMedium
import BluethroatVirtualTime

/// A central that sends any PDU: it keeps the anchor points, hops, counts and repeats as the Link Layer
/// does, and leaves what is in the PDUs to its owner. It answers nothing by itself.
///
/// One exchange takes place in each connection event. Nothing ends the connection but `stop`.
public final class RawCentral {
    /// A PDU on a data channel without the bits that number it.
    public struct PDU: Hashable, Sendable {
        public var logicalLink: DataHeader.LogicalLink
        /// At most 255 bytes.
        public var payload: [UInt8]

        public init(_ logicalLink: DataHeader.LogicalLink, _ payload: [UInt8]) {
            self.logicalLink = logicalLink
            self.payload = payload
        }

        /// An LL control PDU.
        public init(_ control: ControlPDU) {
            logicalLink = .control
            payload = []
            control.write(to: &payload)
        }

        /// An L2CAP frame in one PDU: length and channel are put before it.
        public init(channel: UInt16, _ bytes: [UInt8]) {
            logicalLink = .start
            payload = [
                UInt8(truncatingIfNeeded: bytes.count), UInt8(truncatingIfNeeded: bytes.count >> 8),
                UInt8(truncatingIfNeeded: channel), UInt8(truncatingIfNeeded: channel >> 8),
            ]
            payload += bytes
        }

        /// The LL control PDU that this is; nil for others, and for one that cannot be read.
        public var control: ControlPDU? {
            guard logicalLink == .control else { return nil }
            var bytes = payload.span.bytes
            return try? ControlPDU(parsing: &bytes)
        }
    }

    /// The event that is on, or comes next; nil before the connection.
    public private(set) var schedule: ConnectionSchedule?
    /// PDUs of the peripheral that have a payload, each once, as they came.
    public private(set) var received: [PDU] = []
    /// Called with each of them.
    public var whenReceived: ((PDU) -> Void)?
    /// Events in a row in which the peripheral did not answer.
    public private(set) var unansweredEvents = 0
    /// PDUs of `send` that the peripheral has acknowledged.
    public private(set) var acknowledgedCount = 0
    /// The power of every frame.
    public var power = SignalStrength(dBm: 0)
    public let radio: RawRadio

    private let reference: WorldReference
    private var queue: [PDU] = []
    private var inFlight: PDU?
    private var sequenceNumber = false
    private var nextExpected = false
    private var isOver = false
    private var isAnswered = false
    private var request: (indication: ConnectIndication, bytes: RawFrame)?

    /// A radio of its own, which does nothing yet.
    public convenience init(in world: World, named name: String = "raw central", at position: Position = .origin) {
        self.init(in: world, radio: world.addRawRadio(named: name, at: position))
    }

    private init(in world: World, radio: RawRadio) {
        reference = world.reference
        self.radio = radio
    }

    /// Goes on with a connection that there is.
    init(in world: World, radio: RawRadio, schedule: ConnectionSchedule, sequenceNumber: Bool, nextExpected: Bool) {
        reference = world.reference
        self.radio = radio
        self.schedule = schedule
        self.sequenceNumber = sequenceNumber
        self.nextExpected = nextExpected
        begin()
    }

    /// Answers the next ADV_IND or ADV_DIRECT_IND of the device named in the request, on channel 37, with CONNECT_IND.
    ///
    /// - Parameters:
    ///   - indication: whom it answers, and what the connection is to be like.
    ///   - change: changes the payload before it goes out, so that it says what no `ConnectIndication` can; the events are
    ///     those of `indication` all the same. At most 255 bytes; the length byte is set.
    public func connect(_ indication: ConnectIndication, change: (inout [UInt8]) -> Void = { _ in }) {
        let pdu = AdvertisingPDU.connectInd(indication)
        var bytes: [UInt8] = []
        pdu.write(to: &bytes)
        var payload = Array(bytes[2...])
        change(&payload)
        let frame = RawFrame(
            accessAddress: .advertising,
            pdu: [bytes[0], UInt8(payload.count)] + payload,
            crcInit: .advertising
        )
        request = (indication, frame)
        radio.whenHeard = { [weak self] in self?.heardAdvertising($0) }
        radio.listen(on: ChannelIndex.advertising[0])
    }

    /// Has a PDU sent after those before it, again and again until it is acknowledged.
    public func send(_ pdu: PDU) { queue.append(pdu) }

    /// The same for an LL control PDU. What it announces about parameters and hopping counts here, too.
    public func send(_ control: ControlPDU) {
        schedule?.announce(control)
        send(PDU(control))
    }

    /// Falls silent.
    public func stop() {
        isOver = true
        radio.whenHeard = nil
        radio.stop()
    }

    // MARK: The connection

    private func heardAdvertising(_ frame: HeardFrame) {
        guard let (indication, bytes) = request else { return }
        let canUseSecond: Bool
        switch frame.advertisingPDU {
        case .advInd(indication.advertiser, _, let second), .advDirectInd(indication.advertiser, _, let second):
            canUseSecond = second
        default: return
        }
        request = nil
        let start = frame.end + AirTime.interFrameSpace
        radio.transmit(bytes, on: frame.channel, power: power, at: start)
        schedule = ConnectionSchedule(
            indication,
            requestEnd: start + AirTime.span(ofFrame: bytes.bytes, phy: .le1M),
            usesSecondAlgorithm: canUseSecond && indication.supportsChannelSelection2
        )
        begin()
    }

    private func begin() {
        radio.whenHeard = { [weak self] in self?.heardAnswer($0) }
        planEvent()
    }

    private func planEvent() {
        guard let world = reference.world, let schedule else { return }
        world.schedule(at: max(schedule.anchor, world.now)) { [weak self] _ in self?.beginEvent() }
    }

    private func beginEvent() {
        guard !isOver, var schedule else { return }
        if inFlight == nil, !queue.isEmpty { inFlight = queue.removeFirst() }
        let pdu = inFlight ?? PDU(.continuation, [])
        let frame = schedule.frame(pdu, sequenceNumber: sequenceNumber, nextExpected: nextExpected)
        isAnswered = false
        radio.listen(
            on: schedule.channel,
            phy: schedule.peripheralPHY,
            accessAddress: schedule.accessAddress,
            crcInit: schedule.crcInit
        )
        radio.transmit(frame, on: schedule.channel, phy: schedule.centralPHY, power: power)
        schedule.synchronize(to: schedule.anchor)
        self.schedule = schedule
        let end = schedule.anchor + schedule.parameters.interval.span - .microseconds(500)
        reference.world?.schedule(at: end) { [weak self] _ in self?.endEvent() }
    }

    private func heardAnswer(_ frame: HeardFrame) {
        guard let header = frame.dataHeader, let payload = frame.payload, !isAnswered else { return }
        isAnswered = true
        if header.nextExpectedSequenceNumber != sequenceNumber {
            sequenceNumber.toggle()
            if inFlight != nil { acknowledgedCount += 1 }
            inFlight = nil
        }
        guard header.sequenceNumber == nextExpected else { return }
        nextExpected.toggle()
        guard !payload.isEmpty else { return }
        let pdu = PDU(header.logicalLink, payload)
        received.append(pdu)
        whenReceived?(pdu)
    }

    private func endEvent() {
        guard !isOver else { return }
        unansweredEvents = isAnswered ? 0 : unansweredEvents + 1
        schedule?.advance()
        planEvent()
    }
}

extension ConnectionSchedule {
    /// A PDU as it goes on the air of this connection.
    func frame(_ pdu: RawCentral.PDU, sequenceNumber: Bool, nextExpected: Bool) -> RawFrame {
        let header = DataHeader(
            pdu.logicalLink,
            nextExpectedSequenceNumber: nextExpected,
            sequenceNumber: sequenceNumber
        )
        return RawFrame(accessAddress: accessAddress, header: header, payload: pdu.payload, crcInit: crcInit)
    }
}
