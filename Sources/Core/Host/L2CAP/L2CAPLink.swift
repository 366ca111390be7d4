internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// The L2CAP part of a link: what comes in pieces, what waits to be sent, signalling, and the channels.
struct L2CAPLink {
    var recombination = Recombination()
    var signalling = SignallingChannel()

    /// The L2CAP channels that were opened on it.
    var channels = ChannelSet()
    /// Whether it is the channels' turn to send.
    private var prefersChannels = false
    /// The most packets that the controller has reported at once as sent.
    private var mostCompletedAtOnce = 0

    /// What waits for room in the controller.
    var outgoing = OutgoingQueue()
    /// ACL data packets that the controller holds and has not completed.
    var inFlight = 0
    /// Whether the application could not send since the queue is full, and waits for an event.
    var hasPendingReady = false

    /// The controller has reported so many packets at once as sent.
    mutating func noteCompleted(_ count: Int) { mostCompletedAtOnce = max(mostCompletedAtOnce, count) }

    /// Packets that a connection may have with the controller while it sends for channels. What comes after them, an
    /// ATT PDU say, need not wait for more than these: some 15 ms on LE 1M. A controller that reports several packets
    /// at once, as many do at the end of a connection event, needs more at hand not to run dry.
    private var mostInFlight: Int { max(6, mostCompletedAtOnce + 2) }

    /// The next ACL data packet; nil if nothing waits, or nothing that may go now. The fixed channels and the channels
    /// that were opened take turns, a PDU each.
    mutating func nextPacket(handle: ConnectionHandle, maximumLength: Int) -> [UInt8]? {
        if channels.isMidFrame {
            guard inFlight < mostInFlight else { return nil }
            return channels.nextPacket(handle: handle, maximumLength: maximumLength)
        }
        if channels.isEmpty || outgoing.isMidPDU {
            return outgoing.nextPacket(handle: handle, maximumLength: maximumLength)
        }
        let mayUseChannels = inFlight < mostInFlight && channels.isReady
        if !outgoing.isEmpty, !prefersChannels || !mayUseChannels {
            prefersChannels = true
            return outgoing.nextPacket(handle: handle, maximumLength: maximumLength)
        }
        guard mayUseChannels else { return nil }
        prefersChannels = false
        return channels.nextPacket(handle: handle, maximumLength: maximumLength)
    }
}

// What arms and disarms the link's timers.
extension HostLink {
    /// A signalling request to be sent now, whose answer is awaited.
    mutating func beginSignalling(_ request: SignallingRequest, _ pdu: SignallingPDU, at now: Instant) -> [UInt8] {
        l2cap.signalling.begin(request, pdu, at: now, timers: &deadlines)
    }

    /// A whole PDU has come on the signalling channel.
    mutating func receiveSignalling(_ pdu: RawSpan, at now: Instant) -> SignallingChannel.Outcome {
        l2cap.signalling.handlePDU(pdu, role: role, at: now, timers: &deadlines)
    }

    /// Lets a request of the peer's wait for the application; nil if too many do.
    mutating func ask(_ proposal: ChannelProposal, identifier: UInt8, at now: Instant) -> ChannelRequestID? {
        l2cap.channels.ask(proposal, on: id, identifier: identifier, at: now, timers: &deadlines)
    }

    /// The request with this ID, which waits no longer; nil if it does not.
    mutating func takeRequest(_ id: ChannelRequestID) -> PendingChannelRequest? {
        l2cap.channels.take(id, timers: &deadlines)
    }
}
