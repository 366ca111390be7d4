import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// A lower tester without a clock of its own: it speaks whenever the controller listens, where and as the controller
/// listens. It keeps up with any hopping and any change of pace, those it has caused itself by nonsense included.
final class ShadowTester {
    let bench: Bench
    let accessAddress: AccessAddress
    let crcInit: CRCInit
    private var sequenceNumber = false
    private var nextExpected = false
    private var inFlight: [UInt8]?
    /// New payloads of the controller's.
    private(set) var heard: [Payload] = []

    init(_ link: LinkTester) {
        bench = link.bench
        accessAddress = link.indication.accessAddress
        crcInit = link.indication.crcInit
    }

    /// Whether what went out last has not been acknowledged: then it goes out again, whatever `send` is given.
    var isBusy: Bool { inFlight != nil }

    /// Waits until the controller listens on the link; false if it does not within the time.
    func awaitListening(within span: TimeSpan) -> Bool {
        bench.run(for: span) {
            absorb()
            return isListening
        }
    }

    private var isListening: Bool {
        if case .listening(let order) = bench.radio { order.accessAddress == accessAddress } else { false }
    }

    /// Takes in what the controller has sent.
    private func absorb() {
        for sent in bench.takeFrames() where sent.accessAddress == accessAddress {
            let header = AirFrame.dataHeader(of: sent.frame)
            if header.nextExpectedSequenceNumber != sequenceNumber {
                sequenceNumber.toggle()
                inFlight = nil
            }
            guard header.sequenceNumber == nextExpected else { continue }
            nextExpected.toggle()
            let payload = Array(sent.frame[AirFrame.payloadRange(of: sent.frame)])
            heard.append(Payload(link: header.logicalLink, bytes: payload))
        }
    }

    func takeHeard() -> [Payload] {
        absorb()
        defer { heard.removeAll() }
        return heard.filter { $0 != .empty }
    }

    /// Puts a frame on the air where the controller listens; whether the frame is a right one is the caller's business.
    func inject(_ frame: [UInt8]) {
        guard case .listening(let order) = bench.radio else { return }
        bench.transmit(frame, on: order.channel, phy: order.phy, at: max(order.since, bench.now))
        bench.run(for: AirTime.span(ofFrame: frame, phy: order.phy) + .microseconds(20))
        absorb()
    }

    /// Sends a payload, whatever has to be sent before it, until it is acknowledged; false if the link does not last.
    func deliver(_ payload: Payload, within exchanges: Int = 100) -> Bool {
        var isOut = false
        for _ in 0..<exchanges {
            guard awaitListening(within: .seconds(5)) else { return false }
            if inFlight == nil, isOut { return true }
            if inFlight == nil { isOut = true }
            send(payload)
        }
        return false
    }

    /// Sends a payload with right sequence numbers, the last one again if it is not acknowledged yet; false if the
    /// controller does not listen any more.
    @discardableResult
    func send(_ payload: Payload, moreData: Bool = false, within span: TimeSpan = .seconds(5)) -> Bool {
        guard awaitListening(within: span) else { return false }
        var header = DataHeader(
            payload.link,
            nextExpectedSequenceNumber: nextExpected,
            sequenceNumber: sequenceNumber,
            moreData: moreData
        )
        header.length = UInt8(payload.bytes.count)
        var frame =
            inFlight
            ?? AirFrame.make(
                accessAddress: accessAddress,
                header: header,
                payload: payload.bytes.span.bytes,
                crcInit: crcInit
            )
        var again = AirFrame.dataHeader(of: frame)
        again.nextExpectedSequenceNumber = nextExpected
        AirFrame.setHeader(again.rawValue, of: &frame, crcInit: crcInit)
        inFlight = frame
        inject(frame)
        return true
    }
}
