import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// One connection as the Link Layer keeps it: when its events are, what goes out, what was agreed.
///
/// It knows nothing of the radio or of other connections; `LinkOutput` collects the events for the host. Each part keeps
/// its own state. Core 6.0, Vol 6, Part B, 4.5.
struct Connection: ~Copyable {
    let identity: LinkIdentity
    let accessAddress: AccessAddress
    let crcInit: CRCInit

    private(set) var deadlines = Deadlines<LinkTimer>()
    var schedule: EventSchedule
    var event = EventState()
    var supervision: LinkSupervision
    var acknowledgement = Acknowledgement()
    var queue = TransmitQueue()
    var encryption: LinkEncryption
    var authenticatedPayload = AuthenticatedPayloadTimer()
    var dataLength: DataLength
    var phys: LinkPHYs
    var procedures: Procedures

    init(
        handle: ConnectionHandle,
        role: ConnectionRole,
        plan: ConnectionPlan,
        usesSecondAlgorithm: Bool,
        firstAnchor: Instant,
        at now: Instant,
        configuration: ControllerConfiguration,
        dataLength: DataLength,
        preference: PHYPreference,
        shares: SessionShares
    ) {
        identity = LinkIdentity(handle: handle, role: role, plan: plan)
        accessAddress = plan.indication.accessAddress
        crcInit = plan.indication.crcInit
        schedule = EventSchedule(
            plan.indication,
            role: role,
            usesSecondAlgorithm: usesSecondAlgorithm,
            accuracy: configuration.sleepClockAccuracy,
            firstAnchor: firstAnchor,
            at: now
        )
        supervision = LinkSupervision(createdAt: now)
        self.dataLength = dataLength
        phys = LinkPHYs(preference: preference)
        encryption = LinkEncryption(shares: shares)
        procedures = Procedures(
            features: FeatureSets(own: configuration.claimedFeatures),
            version: VersionIndication(
                version: configuration.version,
                companyIdentifier: configuration.companyIdentifier,
                subversion: configuration.subversion
            )
        )
        armSupervision()
        armEvent()
    }

    var handle: ConnectionHandle { identity.handle }
    var role: ConnectionRole { identity.role }
    var parameters: ConnectionParameters { schedule.parameters }

    // MARK: When

    /// When the radio must be ready for the next event; nil while an event is in progress.
    var nextStart: Instant? { deadlines.instant(of: .event) }

    mutating func arm(_ timer: LinkTimer, at instant: Instant) { deadlines.arm(timer, at: instant) }

    mutating func disarm(_ timer: LinkTimer) { deadlines.disarm(timer) }

    mutating func popExpired(at now: Instant) -> LinkTimer? { deadlines.popExpired(at: now) }

    /// The next event has been decided upon, or moved.
    mutating func armEvent() { arm(.event, at: plannedStart) }

    /// The peer was heard, or has another time to be heard in.
    mutating func armSupervision() { arm(.supervision, at: supervision.deadline(parameters)) }

    /// How many events on the next one is that the connection takes part in: a peripheral with nothing to say may
    /// sleep through as many as its latency allows, but never through an instant. 4.5.1.
    mutating func eventsUntilNext(heardPeer: Bool) -> Int {
        // Until the central sends something new, it may not know that its last PDU has arrived.
        guard role == .peripheral, heardPeer, supervision.isEstablished, queue.isEmpty, !supervision.lastHadPayload,
            !needsEveryEvent
        else { return 1 }
        var count = 1 + Int(parameters.latency.events)
        if let change = procedures.change {
            let left = Int(change.instant &- schedule.counter)
            // Before a connection update also through the event before it. 5.1.1.
            let isUpdate = if case .connectionUpdate = change.change { true } else { false }
            count = min(count, max(1, isUpdate ? left - 1 : left))
        }
        return count
    }

    /// The map of the last LL_CHANNEL_MAP_IND, or of the CONNECT_IND, whether its instant has come or not.
    var latestChannelMap: ChannelMap {
        if case .channelMap(let map) = procedures.change?.change { map } else { schedule.channelMap }
    }

    /// Whether a peripheral must not sleep: an answer is expected, or the end.
    private var needsEveryEvent: Bool {
        procedures.isPeerTerminating || procedures.isAnsweringEncryption || deadlines.isArmed(.localProcedure)
            || deadlines.isArmed(.remoteProcedure)
    }

    // MARK: What

    /// The most bytes of payload in one of our PDUs.
    var transmitLimit: Int { dataLength.transmitLimit(phy: slowestPHY, isEncrypting: encryption.isEncrypting) }

    /// How long one more exchange may take from the present instant on: the PDU that is next in the queue, and the
    /// longest that the peer may send if it has said that it has more, else an empty one.
    mutating func exchangeSpan() -> TimeSpan {
        ownSpan + AirTime.interFrameSpace + (event.peerHasMore || event.phase == .idle ? longestPeerSpan : emptySpan)
    }

    /// The most payload of a frame of ours for which, and for a short answer, there is still time in this event; nil if
    /// that is too little to be worth a frame, or the next PDU cannot be made shorter.
    mutating func payloadFitting(at now: Instant) -> Int? {
        guard !event.peerHasMore, queue.canSplit() else { return nil }
        let answer = AirTime.span(payloadBytes: Int(DataLength.leastOctets), phy: phys.receive)
        let left = event.limit - now - AirTime.interFrameSpace - answer
        guard left > .zero, let fitting = AirTime.maximumPayload(within: left, phy: phys.transmit) else { return nil }
        let length = fitting - (encryption.isEncrypting ? LinkEncryptor.integrityCheckLength : 0)
        return length >= Int(DataLength.leastOctets) ? min(length, transmitLimit) : nil
    }

    /// Whether our frame, going out now, may say that more follows: an answer and another frame would fit.
    mutating func mayAnnounceMore(at now: Instant) -> Bool {
        now + ownSpan + AirTime.interFrameSpace * 2 + emptySpan * 2 <= event.limit
    }

    private var ownSpan: TimeSpan {
        mutating get {
            let length = queue.nextLength(limit: transmitLimit, isEncrypting: encryption.isEncrypting)
            return AirTime.span(payloadBytes: length, phy: phys.transmit)
        }
    }
    private var emptySpan: TimeSpan { AirTime.span(payloadBytes: 0, phy: phys.receive) }
    private var longestPeerSpan: TimeSpan {
        let octets = Int(dataLength.effective.maximumReceiveOctets) + LinkEncryptor.integrityCheckLength
        let byTime = TimeSpan.microseconds(Int64(dataLength.effective.maximumReceiveTime))
        return min(byTime, AirTime.span(payloadBytes: octets, phy: phys.receive))
    }

    mutating func send(_ pdu: ControlPDU) { queue.append(control: pdu) }
}

/// Where the controller keeps one connection: an object of its own, so that the state is changed in place and the slab
/// of connections moves references only.
final class ConnectionBox {
    // Nothing else refers to the state while one of its methods runs; debug builds check that.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var connection: Connection

    init(_ connection: consuming Connection) { self.connection = connection }
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

    /// Whether either side has said that it has more to send.
    var hasMore: Bool { sentMore || peerHasMore }

    mutating func begin(_ phase: Phase, channel: ChannelIndex) {
        self = EventState()
        self.phase = phase
        self.channel = channel
    }
}

/// What a connection reports to the host, and whether it is over.
struct LinkOutput: Sendable {
    var events: [Event] = []
    /// Why the connection ends now.
    var ending: FailureCode?

    mutating func end(_ reason: FailureCode) { if ending == nil { ending = reason } }
}
