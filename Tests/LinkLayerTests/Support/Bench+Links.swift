import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

extension Bench {
    /// Makes a connection with the controller as peripheral: it advertises, the tester connects. The events about it
    /// are taken.
    func connectAsPeripheral(
        intervalSteps: UInt16 = 24,
        latency: UInt16 = 0,
        timeoutSteps: UInt16 = 200,
        channelMap: ChannelMap = .all,
        hop: UInt8 = 7,
        secondAlgorithm: Bool = true,
        window: (size: UInt8, offset: UInt16) = (1, 0),
        accuracy: SleepClockAccuracy = .upTo50,
        initiator: DeviceAddress = Bench.testerAddress
    ) throws -> LinkTester {
        try succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        let advertisement = try nextFrame(within: .seconds(2))
        guard case .advInd(let advertiser, _, let canUseSecond) = try advertisement.advertisingPDU() else {
            throw Unexpected("no ADV_IND")
        }
        let parameters = try #require(
            ConnectionParameters(intervalSteps: intervalSteps, latencyEvents: latency, timeoutSteps: timeoutSteps)
        )
        let indication = ConnectIndication(
            initiator: initiator,
            advertiser: advertiser,
            accessAddress: AccessAddress(rawValue: 0x5A3C_96E1 &+ UInt32(initiator.value & 0xFF) << 8),
            crcInit: CRCInit(0x123456),
            window: try #require(
                TransmitWindow(sizeSteps: window.size, offsetSteps: window.offset, interval: parameters.interval)
            ),
            parameters: parameters,
            channelMap: channelMap,
            hopIncrement: try #require(HopIncrement(hop)),
            sleepClockAccuracy: accuracy,
            supportsChannelSelection2: secondAlgorithm
        )
        let frame = AirFrame.make(advertising: .connectInd(indication))
        let start = advertisement.end + AirTime.interFrameSpace
        let end = start + AirTime.span(ofFrame: frame, phy: .le1M)
        transmit(frame, on: advertisement.channel, at: start)
        run(until: end)
        guard case .leConnectionComplete(let complete) = try nextEvent(), complete.status == .success else {
            throw Unexpected("no connection")
        }
        guard case .leChannelSelectionAlgorithm(let selection) = try nextEvent() else {
            throw Unexpected("no channel selection algorithm")
        }
        #expect(selection.algorithm == (secondAlgorithm && canUseSecond ? .two : .one))
        return LinkTester(
            bench: self,
            role: .central,
            indication: indication,
            requestEnd: end,
            usesSecondAlgorithm: secondAlgorithm && canUseSecond,
            handle: complete.connection
        )
    }

    /// Makes a connection with the controller as central: the tester advertises, the controller connects.
    func connectAsCentral(
        intervalSteps: UInt16 = 24,
        latency: UInt16 = 0,
        timeoutSteps: UInt16 = 200,
        secondAlgorithm: Bool = true,
        advertiser: DeviceAddress = Bench.testerAddress
    ) throws -> LinkTester {
        let command = LECreateConnection(
            scanInterval: 0x10,
            scanWindow: 0x10,
            peer: PeerAddress(advertiser),
            minimumInterval: intervalSteps,
            maximumInterval: intervalSteps,
            maximumLatency: latency,
            supervisionTimeout: timeoutSteps
        )
        try succeed(.leCreateConnection(command))
        let (indication, end) = try takeConnectIndication(
            to: .advInd(advertiser: advertiser, data: [2, 1, 6], supportsChannelSelection2: secondAlgorithm)
        )
        guard case .leConnectionComplete(let complete) = try nextEvent(), complete.status == .success else {
            throw Unexpected("no connection")
        }
        guard case .leChannelSelectionAlgorithm = try nextEvent() else {
            throw Unexpected("no channel selection algorithm")
        }
        return LinkTester(
            bench: self,
            role: .peripheral,
            indication: indication,
            requestEnd: end,
            usesSecondAlgorithm: secondAlgorithm && indication.supportsChannelSelection2,
            handle: complete.connection
        )
    }

    /// Advertises until the controller, which initiates, answers with CONNECT_IND.
    func takeConnectIndication(to pdu: AdvertisingPDU) throws -> (ConnectIndication, end: Instant) {
        for _ in 0..<10 {
            guard let end = advertise(pdu) else { continue }
            let answer = try nextFrame(within: .milliseconds(2))
            #expect(answer.start == end + AirTime.interFrameSpace)
            guard case .connectInd(let indication) = try answer.advertisingPDU() else { continue }
            return (indication, answer.end)
        }
        throw Unexpected("no CONNECT_IND")
    }

    /// Sends an advertising PDU where the controller listens, as soon as it does; the end of the frame, or nil if it
    /// does not listen within 20 ms.
    @discardableResult
    func advertise(_ pdu: AdvertisingPDU, strength: Int8 = -50) -> Instant? {
        let frame = AirFrame.make(advertising: pdu)
        let isListening = run(for: .milliseconds(20)) {
            if case .listening(let order) = radio { order.accessAddress == .advertising } else { false }
        }
        guard isListening, case .listening(let order) = radio else { return nil }
        let start = max(order.since, now) + .microseconds(20)
        guard start <= order.until else {
            run(until: order.until + .microseconds(1))
            return advertise(pdu, strength: strength)
        }
        transmit(frame, on: order.channel, at: start, strength: strength)
        let end = start + AirTime.span(ofFrame: frame, phy: .le1M)
        run(until: end)
        return end
    }
}

/// The controller did something that the test cannot go on with.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
