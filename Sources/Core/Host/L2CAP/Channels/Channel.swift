/// One end of an L2CAP credit-based channel. Core 6.0, Vol 3, Part A, 10.
struct Channel {
    enum State: Equatable {
        /// The peer has been asked.
        case opening
        case open
        /// To be closed as soon as all that waits has left.
        case draining
        /// The end was reported to the peer, and nothing is taken any more. Nil once the application has got the event.
        case closing(ChannelCloseReason?)
    }

    let id: L2CAPChannelID
    let spsm: SPSM
    let isIncoming: Bool
    let isEnhanced: Bool
    var state: State
    /// The peer's end.
    var peerNumber: UInt16 = 0
    var receiver: ChannelReceiver
    var sender: ChannelSender
    /// Whether a change of this end's lengths waits for the peer's answer.
    var isReconfiguring = false

    init(
        id: L2CAPChannelID,
        spsm: SPSM,
        isIncoming: Bool,
        isEnhanced: Bool,
        options: ChannelOptions,
        packetLength: Int
    ) {
        self.id = id
        self.spsm = spsm
        self.isIncoming = isIncoming
        self.isEnhanced = isEnhanced
        state = .opening
        receiver = ChannelReceiver(options)
        sender = ChannelSender(options: options, packetLength: packetLength)
    }

    /// The peer's end is known: data may flow.
    mutating func open(peerNumber: UInt16, mtu: UInt16, mps: UInt16, credits: UInt16) {
        self.peerNumber = peerNumber
        sender.configure(mtu: Int(mtu), mps: Int(mps))
        _ = sender.add(credits: Int(credits))
        state = .open
    }

    /// Whether SDUs of the peer are taken and credits given.
    var isReceiving: Bool { state == .open || state == .draining }

    /// Whether a frame could be sent now.
    var isReady: Bool { isReceiving && sender.isReady }

    /// The two ends, as a request to close names them.
    var ends: ChannelEnds { ChannelEnds(destination: peerNumber, source: id.number) }

    var description: ChannelDescription {
        ChannelDescription(
            id: id,
            spsm: spsm,
            isIncoming: isIncoming,
            isEnhanced: isEnhanced,
            peerMTU: sender.peerMTU,
            peerMPS: sender.peerMPS,
            mtu: receiver.mtu,
            mps: receiver.mps
        )
    }
}
