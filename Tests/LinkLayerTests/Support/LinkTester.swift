import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// What a data PDU carries.
struct Payload: Hashable {
    var link: DataHeader.LogicalLink
    var bytes: [UInt8]

    static let empty = Self(link: .continuation, bytes: [])

    static func start(_ bytes: [UInt8]) -> Self { Self(link: .start, bytes: bytes) }
    static func continuation(_ bytes: [UInt8]) -> Self { Self(link: .continuation, bytes: bytes) }

    static func control(_ pdu: ControlPDU) -> Self {
        var bytes: [UInt8] = []
        pdu.write(to: &bytes)
        return Self(link: .control, bytes: bytes)
    }

    /// The LL control PDU that this is, if it is one.
    var controlPDU: ControlPDU? {
        guard link == .control else { return nil }
        var span = bytes.span.bytes
        return try? ControlPDU(parsing: &span)
    }
}

/// How the lower tester behaves where it does not behave as it should.
struct Misconduct: OptionSet {
    let rawValue: Int

    /// The frame's CRC is wrong.
    static let damaged = Self(rawValue: 1)
    /// What the controller sent is not acknowledged, as if it had come damaged.
    static let deaf = Self(rawValue: 2)
    /// The controller's acknowledgement is taken no notice of: what went out last goes out once more.
    static let stubborn = Self(rawValue: 4)
}

/// A data PDU of the controller as the lower tester sees it.
struct Heard {
    let payload: Payload
    let header: DataHeader
    let sent: SentFrame
    /// Whether it is not a repetition.
    let isNew: Bool
    let eventCounter: UInt16
}

/// The lower tester on a connection, as central or as peripheral, with all of the specification's bookkeeping. Whatever
/// the controller sends is held to T_IFS, to the channel, to the CRC and to the laws of SN and NESN.
final class LinkTester {
    let bench: Bench
    let role: ConnectionRole
    let indication: ConnectIndication
    /// Where CONNECT_IND ended.
    let requestEnd: Instant

    var channelMap: ChannelMap
    var interval: ConnectionInterval
    /// On which PHYs the tester sends and hears.
    var transmitPHY = PHY.le1M
    var receivePHY = PHY.le1M
    private(set) var eventCounter: UInt16 = 0
    /// The anchor of the event in progress or to come.
    private(set) var anchor: Instant
    private let usesSecondAlgorithm: Bool
    private var first: ChannelSelection1
    private var firstAdvanced = false

    private var sequenceNumber = false
    private var nextExpected = false
    /// What went out last and is not acknowledged yet.
    private var inFlight: Payload?
    /// The end of the frame that the next one follows after T_IFS; nil between events.
    private var lastEnd: Instant?
    /// What the controller sent last, for the law of repetition.
    private var lastHeard: (sequenceNumber: Bool, payload: Payload)?
    private(set) var heardCount = 0
    /// Payloads that went out, repetitions not counted.
    private(set) var sentCount = 0
    private(set) var acknowledgedCount = 0

    /// Changes of the connection that the tester itself has announced.
    var atInstant: [(instant: UInt16, change: (LinkTester) -> Void)] = []

    /// The controller's handle.
    let handle: ConnectionHandle

    init(
        bench: Bench,
        role: ConnectionRole,
        indication: ConnectIndication,
        requestEnd: Instant,
        usesSecondAlgorithm: Bool,
        handle: ConnectionHandle
    ) {
        self.bench = bench
        self.handle = handle
        self.role = role
        self.indication = indication
        self.requestEnd = requestEnd
        self.usesSecondAlgorithm = usesSecondAlgorithm
        channelMap = indication.channelMap
        interval = indication.parameters.interval
        anchor = requestEnd + .microseconds(1_250) + indication.window.offset
        first = ChannelSelection1(hopIncrement: indication.hopIncrement)
    }

    // MARK: Events

    /// The channel of the event in progress.
    private(set) var channel = ChannelIndex.advertising[0]

    private func enterEvent() {
        for (instant, change) in atInstant where instant == eventCounter { change(self) }
        atInstant.removeAll { $0.instant == eventCounter }
        if usesSecondAlgorithm {
            let selection = ChannelSelection2(accessAddress: indication.accessAddress)
            channel = selection.channel(event: eventCounter, channelMap: channelMap)
        } else if !firstAdvanced {
            channel = first.advance(channelMap: channelMap)
            firstAdvanced = true
        }
    }

    /// Leaves the event in progress behind, if there is one, and enters the next.
    func nextEvent() {
        lastEnd = nil
        isInEvent = false
        anchor += interval.span
        eventCounter &+= 1
        if !usesSecondAlgorithm, !firstAdvanced { _ = first.advance(channelMap: channelMap) }
        firstAdvanced = false
    }

    private var isInEvent = false

    /// Moves the anchor of the event to come.
    func moveAnchor(by span: TimeSpan) { anchor += span }

    /// Lets events go by in silence.
    func beSilent(events: Int) {
        finishEvent()
        for _ in 0..<events {
            enterEvent()
            nextEvent()
        }
    }

    /// If an event is in progress, goes on to the next.
    func finishEvent() { if isInEvent { nextEvent() } }

    // MARK: One exchange

    /// Sends one PDU and hears one, in the order that the role demands; nil if the controller is silent.
    ///
    /// As central a new event begins unless the last one goes on, since one side has more data.
    @discardableResult
    func exchange(
        _ payload: Payload = .empty,
        moreData: Bool = false,
        _ misconduct: Misconduct = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Heard? {
        switch role {
        case .central:
            if !isInEvent {
                enterEvent()
                isInEvent = true
            }
            let start = lastEnd.map { $0 + AirTime.interFrameSpace } ?? anchor
            let frameEnd = transmit(payload, moreData: moreData, misconduct, at: start)
            guard let heard = try listen(from: frameEnd, misconduct, sourceLocation) else {
                nextEvent()
                return nil
            }
            goOn(ourMore: moreData, theirMore: heard.header.moreData, after: heard.sent.end)
            return heard
        case .peripheral:
            if !isInEvent { isInEvent = true; enterEvent() }
            guard let heard = try listen(from: lastEnd, misconduct, sourceLocation) else {
                nextEvent()
                return nil
            }
            let end = transmit(payload, moreData: moreData, misconduct, at: heard.sent.end + AirTime.interFrameSpace)
            bench.run(until: end)
            goOn(ourMore: moreData, theirMore: heard.header.moreData, after: end)
            return heard
        }
    }

    private func goOn(ourMore: Bool, theirMore: Bool, after end: Instant) {
        if ourMore || theirMore { lastEnd = end } else { nextEvent() }
    }

    private func transmit(_ payload: Payload, moreData: Bool, _ misconduct: Misconduct, at start: Instant) -> Instant {
        let payload = inFlight ?? payload
        if inFlight == nil {
            inFlight = payload
            sentCount += 1
        }
        var header = DataHeader(
            payload.link,
            nextExpectedSequenceNumber: nextExpected,
            sequenceNumber: sequenceNumber,
            moreData: moreData
        )
        header.length = UInt8(payload.bytes.count)
        var frame = AirFrame.make(
            accessAddress: indication.accessAddress,
            header: header,
            payload: payload.bytes.span.bytes,
            crcInit: indication.crcInit
        )
        if misconduct.contains(.damaged) { frame[frame.count - 1] ^= 0x40 }
        bench.transmit(frame, on: channel, phy: transmitPHY, at: start)
        return start + AirTime.span(ofFrame: frame, phy: transmitPHY)
    }

    /// Waits for the controller's frame: T_IFS after our own, or at the anchor.
    private func listen(from end: Instant?, _ misconduct: Misconduct, _ location: SourceLocation) throws -> Heard? {
        let expected = end.map { $0 + AirTime.interFrameSpace } ?? anchor
        let window = heardCount == 0 && role == .peripheral ? indication.window.size : .zero
        var next = bench.nextFrame(of: indication.accessAddress, startingBy: expected + window)
        while let stray = next, stray.start < expected, role == .peripheral, heardCount > 0 {
            // The controller went on with an event whose end it could not know: the tester's last frame was damaged.
            next = bench.nextFrame(of: indication.accessAddress, startingBy: expected + window)
        }
        guard let sent = next else { return nil }
        if role == .central || end != nil {
            #expect(sent.start == expected, "T_IFS", sourceLocation: location)
        } else {
            // The first anchor may be anywhere in the transmit window; it then sets all others.
            if heardCount == 0 { anchor = sent.start }
            #expect(sent.start == anchor, "anchor of event \(eventCounter)", sourceLocation: location)
        }
        #expect(sent.phy == receivePHY, "PHY of event \(eventCounter)", sourceLocation: location)
        #expect(sent.channel == channel, "channel of event \(eventCounter)", sourceLocation: location)
        try #require(AirFrame.isWellFormed(sent.frame), sourceLocation: location)
        try #require(AirFrame.hasValidCRC(sent.frame, crcInit: indication.crcInit), sourceLocation: location)
        let header = AirFrame.dataHeader(of: sent.frame)
        let payload = Payload(
            link: header.logicalLink,
            bytes: Array(sent.frame[AirFrame.payloadRange(of: sent.frame)])
        )
        heardCount += 1
        if let last = lastHeard, last.sequenceNumber == header.sequenceNumber {
            #expect(last.payload == payload, "a repetition must be the same", sourceLocation: location)
        }
        lastHeard = (header.sequenceNumber, payload)
        if header.nextExpectedSequenceNumber != sequenceNumber, !misconduct.contains(.stubborn) {
            sequenceNumber.toggle()
            if inFlight != nil { acknowledgedCount += 1 }
            inFlight = nil
        }
        let isNew = header.sequenceNumber == nextExpected
        if isNew, !misconduct.contains(.deaf) { nextExpected.toggle() }
        return Heard(payload: payload, header: header, sent: sent, isNew: isNew, eventCounter: eventCounter)
    }

    /// Whether everything that was sent has been acknowledged.
    var isAcknowledged: Bool { inFlight == nil }

    /// Takes part in a change of the connection's pace, announced by either side.
    func follow(_ update: ConnectionUpdateIndication, at microsecondsIntoWindow: Int64 = 0) throws {
        let parameters = try #require(update.parameters)
        let shift = TimeSpan.microseconds(1_250 * Int64(update.windowOffsetSteps) + microsecondsIntoWindow)
        let change: (LinkTester) -> Void = { link in
            link.moveAnchor(by: shift)
            link.interval = parameters.interval
        }
        atInstant.append((update.instant, change))
    }

    /// Takes part in a change of the channel map.
    func follow(_ update: ChannelMapIndication) {
        atInstant.append((update.instant, { $0.channelMap = update.channelMap }))
    }

    /// Takes part in a change of the PHYs.
    func follow(_ update: PHYUpdateIndication) {
        let down = update.centralToPeripheral.only, up = update.peripheralToCentral.only
        atInstant.append(
            (
                update.instant,
                { link in
                    let (transmit, receive) = link.role == .central ? (down, up) : (up, down)
                    link.transmitPHY = transmit ?? link.transmitPHY
                    link.receivePHY = receive ?? link.receivePHY
                }
            )
        )
    }

    // MARK: Conversations

    /// Exchanges until the payload has been acknowledged; answers everything new that the controller sent meanwhile,
    /// empty PDUs left out.
    @discardableResult
    func send(_ payload: Payload, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Payload] {
        var news: [Payload] = []
        var number: Int?
        for _ in 0..<30 {
            let before = sentCount
            let heard = try exchange(number == nil ? payload : .empty, sourceLocation: sourceLocation)
            if number == nil, sentCount > before { number = sentCount }
            if let heard, heard.isNew, heard.payload != .empty { news.append(heard.payload) }
            if let number, acknowledgedCount >= number { return news }
        }
        Issue.record("never acknowledged", sourceLocation: sourceLocation)
        return news
    }

    @discardableResult
    func send(_ pdu: ControlPDU, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Payload] {
        try send(.control(pdu), sourceLocation: sourceLocation)
    }

    /// Exchanges empty PDUs until something new with a payload comes.
    func nextPayload(within events: Int = 20, sourceLocation: SourceLocation = #_sourceLocation) throws -> Payload? {
        for _ in 0..<events {
            if let heard = try exchange(sourceLocation: sourceLocation), heard.isNew, heard.payload != .empty {
                return heard.payload
            }
        }
        return nil
    }

    /// The same for an LL control PDU, which must come.
    func nextControl(within events: Int = 20, sourceLocation: SourceLocation = #_sourceLocation) throws -> ControlPDU {
        let payload = try #require(
            try nextPayload(within: events, sourceLocation: sourceLocation),
            sourceLocation: sourceLocation
        )
        return try #require(payload.controlPDU, "\(payload)", sourceLocation: sourceLocation)
    }

    /// Sends a control PDU and answers the one that comes of it.
    func ask(_ pdu: ControlPDU, sourceLocation: SourceLocation = #_sourceLocation) throws -> ControlPDU {
        let news = try send(pdu, sourceLocation: sourceLocation)
        if let first = news.first {
            return try #require(first.controlPDU, sourceLocation: sourceLocation)
        }
        return try nextControl(sourceLocation: sourceLocation)
    }

    /// Exchanges empty PDUs for so many events; nothing with a payload may come.
    func idle(events: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for _ in 0..<events {
            let heard = try exchange(sourceLocation: sourceLocation)
            if let heard, heard.isNew { #expect(heard.payload == .empty, sourceLocation: sourceLocation) }
        }
    }
}
