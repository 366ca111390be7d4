import AirPackets
import BluetoothCrypto
import BluetoothValues
import HCI
import VirtualTime

/// One connection as the Link Layer keeps it: when its events are, what goes out, what was agreed.
///
/// One object in the controller's slab, seen by nobody else. It knows nothing of the radio or of other connections; `LinkOutput` collects
/// what it wants told to the host. Core 6.0, Vol 6, Part B, 4.5.
final class Connection {
    let handle: ConnectionHandle
    let role: ConnectionRole
    let peer: DeviceAddress
    let ownAddress: DeviceAddress
    /// Who the peer is, where the resolving list knew it behind `peer`; else that.
    @exclusivity(unchecked)
    var peerIdentity: PeerAddress
    /// What our own address stands for, if it is a private one made here.
    @exclusivity(unchecked)
    var ownIdentity: DeviceAddress
    let accessAddress: AccessAddress
    let crcInit: CRCInit
    /// The sum of both sides' sleep clock accuracies in parts per million.
    let clockError: Int64
    /// What LL_VERSION_IND tells the peer.
    let ownVersion: VersionIndication
    let localFeatures: LEFeatures
    let created: Instant

    @exclusivity(unchecked)
    var parameters: ConnectionParameters
    @exclusivity(unchecked)
    var transmitPHY = PHY.le1M
    @exclusivity(unchecked)
    var receivePHY = PHY.le1M
    /// What we would use, as the host wants.
    @exclusivity(unchecked)
    var phyPreference = PHYPreference()
    @exclusivity(unchecked)
    var hopping: ChannelHopping
    /// The counter of the event in progress, or of the next one.
    @exclusivity(unchecked)
    var eventCounter: UInt16 = 0
    /// When that event's anchor point is expected; for the event in progress of a peripheral, when it was.
    @exclusivity(unchecked)
    var anchor: Instant
    /// For a peripheral, the last anchor point heard: what its uncertainty grows from.
    @exclusivity(unchecked)
    var lastSynchronized: Instant
    /// How much later than `anchor` the central may begin: after CONNECT_IND and connection updates only.
    @exclusivity(unchecked)
    var windowSize: TimeSpan
    /// Events in a row that did not take place since the radio was somebody else's.
    @exclusivity(unchecked)
    var eventsPassedOver = 0
    /// Events before the next one that a peripheral sleeps through.
    @exclusivity(unchecked)
    var sleptEvents = 0

    @exclusivity(unchecked)
    var acknowledgement = Acknowledgement()
    @exclusivity(unchecked)
    var queue = TransmitQueue()
    @exclusivity(unchecked)
    var encryption: LinkEncryption
    @exclusivity(unchecked)
    var authenticatedPayload = AuthenticatedPayloadTimer()
    @exclusivity(unchecked)
    var dataLength: DataLength
    /// Packets of the host that are in the controller's buffers: taken, and not yet reported as completed.
    @exclusivity(unchecked)
    var heldPackets = 0
    /// Those of them that have been acknowledged.
    @exclusivity(unchecked)
    var completedPackets: UInt16 = 0

    /// When a packet with a right CRC came last; nil until the connection is established.
    @exclusivity(unchecked)
    var lastHeard: Instant?
    @exclusivity(unchecked)
    var lastStrength: SignalStrength?
    /// Whether the last new PDU of the peer had a payload.
    @exclusivity(unchecked)
    var lastHadPayload = false

    @exclusivity(unchecked)
    var event = EventState()
    @exclusivity(unchecked)
    var procedures = Procedures()

    init(
        handle: ConnectionHandle,
        role: ConnectionRole,
        indication: ConnectIndication,
        usesSecondAlgorithm: Bool,
        firstAnchor: Instant,
        at now: Instant,
        configuration: ControllerConfiguration,
        dataLength: DataLength,
        shares: SessionShares
    ) {
        self.handle = handle
        self.role = role
        peer = role == .central ? indication.advertiser : indication.initiator
        ownAddress = role == .central ? indication.initiator : indication.advertiser
        peerIdentity = PeerAddress(peer)
        ownIdentity = ownAddress
        accessAddress = indication.accessAddress
        crcInit = indication.crcInit
        clockError =
            role == .central
            ? 0 : indication.sleepClockAccuracy.partsPerMillion + configuration.sleepClockAccuracy.partsPerMillion
        ownVersion = VersionIndication(
            version: configuration.version,
            companyIdentifier: configuration.companyIdentifier,
            subversion: configuration.subversion
        )
        localFeatures = configuration.claimedFeatures
        created = now
        parameters = indication.parameters
        hopping = ChannelHopping(indication, usesSecondAlgorithm: usesSecondAlgorithm)
        anchor = firstAnchor
        lastSynchronized = now
        windowSize = role == .central ? .zero : indication.window.size
        self.dataLength = dataLength
        encryption = LinkEncryption(shares: shares)
    }

    // MARK: When

    /// How far the anchor point may be off on either side, for a peripheral. 4.2.4, 4.5.7.
    func windowWidening(at anchor: Instant) -> TimeSpan {
        guard role == .peripheral else { return .zero }
        let elapsed = (anchor - lastSynchronized).nanoseconds
        let drift = (elapsed / 1_000) * clockError / 1_000 + 1
        // 16 µs for the jitter of both ends.
        let widening = TimeSpan(nanoseconds: drift + 16_000)
        let most = parameters.interval.span / 2 - AirTime.interFrameSpace
        return min(widening, most)
    }

    /// When the radio must be ready for the next event.
    var nextStart: Instant {
        let anchor = plannedAnchor
        return anchor - windowWidening(at: anchor)
    }

    /// When the connection is lost unless something is heard. 4.5.2.
    var supervisionDeadline: Instant {
        guard let lastHeard else { return created + parameters.interval.span * 6 }
        return lastHeard + parameters.supervisionTimeout.span
    }

    /// The next instant at which something has to be done for reasons other than an event.
    var nextDeadline: Instant {
        min(
            supervisionDeadline,
            procedures.nextDeadline,
            encryption.deadline ?? .distantFuture,
            authenticatedPayload.nextDeadline(round: pingRound)
        )
    }

    /// Goes on to the event after `count` - 1 skipped ones.
    func advance(by count: Int) {
        eventCounter &+= UInt16(truncatingIfNeeded: count)
        anchor += parameters.interval.span * Int64(count)
        hopping.skip(count)
    }

    /// How many events on the next one is that the connection takes part in: a peripheral with nothing to say may
    /// sleep through as many as its latency allows, but never through an instant. 4.5.1.
    func eventsUntilNext(heardPeer: Bool) -> Int {
        // Until the central sends something new, it may not know that its last PDU has arrived.
        guard role == .peripheral, heardPeer, lastHeard != nil, queue.isEmpty, !lastHadPayload,
            !procedures.needsEveryEvent, encryption.isIdle
        else { return 1 }
        var count = 1 + Int(parameters.latency.events)
        if let instant = procedures.instant {
            count = min(count, max(1, Int(instant &- eventCounter)))
        }
        return count
    }

    // MARK: What

    /// The most bytes of payload in one of our PDUs.
    var transmitLimit: Int { dataLength.transmitLimit(phy: slowestPHY, isEncrypting: encryption.isEncrypting) }

    /// How long one more exchange may take from the present instant on: the PDU that is next in the queue, and the
    /// longest that the peer may send if it has said that it has more, else an empty one.
    func exchangeSpan() -> TimeSpan {
        ownSpan + AirTime.interFrameSpace + (event.peerHasMore || event.phase == .idle ? longestPeerSpan : emptySpan)
    }

    /// The most payload of a frame of ours for which, and for a short answer, there is still time in this event; nil if
    /// that is too little to be worth a frame, or the next PDU cannot be made shorter.
    func payloadFitting(at now: Instant) -> Int? {
        guard !event.peerHasMore, queue.canSplit() else { return nil }
        let answer = AirTime.span(payloadBytes: Int(DataLength.leastOctets), phy: receivePHY)
        let left = event.limit - now - AirTime.interFrameSpace - answer
        guard left > .zero, let fitting = AirTime.maximumPayload(within: left, phy: transmitPHY) else { return nil }
        let length = fitting - (encryption.isEncrypting ? LinkEncryptor.integrityCheckLength : 0)
        return length >= Int(DataLength.leastOctets) ? min(length, transmitLimit) : nil
    }

    /// Whether our frame, going out now, may say that more follows: an answer and another frame would fit.
    func mayAnnounceMore(at now: Instant) -> Bool {
        now + ownSpan + AirTime.interFrameSpace * 2 + emptySpan * 2 <= event.limit
    }

    private var ownSpan: TimeSpan {
        let length = queue.nextLength(limit: transmitLimit, isEncrypting: encryption.isEncrypting)
        return AirTime.span(payloadBytes: length, phy: transmitPHY)
    }
    private var emptySpan: TimeSpan { AirTime.span(payloadBytes: 0, phy: receivePHY) }
    private var longestPeerSpan: TimeSpan {
        let octets = Int(dataLength.effective.maximumReceiveOctets) + LinkEncryptor.integrityCheckLength
        let byTime = TimeSpan.microseconds(Int64(dataLength.effective.maximumReceiveTime))
        return min(byTime, AirTime.span(payloadBytes: octets, phy: receivePHY))
    }

    /// The frame that goes out now; nil if the link's key is worn out and the link therefore over.
    /// A new PDU has `limit` bytes of data at most, if that is less than what was agreed.
    func nextFrame(moreAllowed: Bool, limit: Int? = nil) -> [UInt8]? {
        let frame = queue.nextFrame(
            accessAddress: accessAddress,
            crcInit: crcInit,
            acknowledgement: acknowledgement,
            limit: limit ?? transmitLimit,
            moreAllowed: moreAllowed,
            encryption: &encryption
        )
        if let frame { event.sentMore = AirFrame.dataHeader(of: frame).moreData }
        return frame
    }

    func send(_ pdu: ControlPDU) { queue.append(control: pdu) }
}

/// How far the connection event in progress is.
struct EventState: Sendable {
    enum Phase: Sendable {
        /// Between events.
        case idle
        /// A peripheral waits for the central's first packet.
        case awaitingAnchor
        /// Our frame is going out.
        case transmitting
        /// We wait for the answer, or for the central's next packet.
        case listening
        /// The space between two frames, at whose end it is our turn.
        case turnaround
    }

    var phase = Phase.idle
    var channel = ChannelIndex.advertising[0]
    /// Frames that follow the first exchange must be over by then.
    var limit = Instant.distantFuture
    /// The MD bit that we sent last.
    var sentMore = false
    /// The MD bit that the peer sent last.
    var peerHasMore = false
    /// Packets with a wrong CRC in a row.
    var badPackets = 0
    /// Whether anything with a right CRC came in this event.
    var heardPeer = false
    /// Whether anything at all came: it synchronises a peripheral.
    var heardAnything = false

    mutating func begin(_ phase: Phase, channel: ChannelIndex) {
        self = EventState()
        self.phase = phase
        self.channel = channel
    }
}

/// What a connection wants told to the host, and whether it is over.
struct LinkOutput: Sendable {
    var events: [Event] = []
    /// Why the connection ends now.
    var ending: FailureCode?

    mutating func end(_ reason: FailureCode) { if ending == nil { ending = reason } }
}
