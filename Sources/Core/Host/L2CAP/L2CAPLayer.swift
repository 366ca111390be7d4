/// What L2CAP keeps for all links of a host: the controller's buffers, whose turn it is to use them, and the services that
/// peers may open channels to.
struct L2CAPLayer {
    private(set) var buffers = ControllerBuffers(packetLength: 0, count: 0)
    /// The slot that had the last turn.
    private var turn = 0
    private var listeners: [ChannelListener] = []

    // MARK: Buffers

    /// The longest data of one packet that the controller takes, in bytes.
    var packetLength: Int { buffers.packetLength }

    /// Whether the controller has room for any packet at all.
    var hasFreeBuffer: Bool { buffers.free > 0 }

    /// A controller has come up that takes so many packets of this length.
    mutating func begin(packetLength: Int, count: Int) {
        buffers = ControllerBuffers(packetLength: packetLength, count: count)
    }

    mutating func opened() { buffers.opened() }

    /// A link is gone, and the `inFlight` packets with it that the controller had of it.
    mutating func closed(inFlight: Int) { buffers.closed(inFlight: inFlight) }

    /// Whether a link may give the controller another packet, beside the `inFlight` ones that it has.
    func allowsPacket(inFlight: Int) -> Bool { buffers.allows(inFlight: inFlight) }

    /// A packet of a link goes to the controller.
    mutating func takeBuffer(for link: inout L2CAPLink) { buffers.take(inFlight: &link.inFlight) }

    /// The controller has completed `count` packets of a link; more than it held are none.
    mutating func complete(_ count: Int, of link: inout L2CAPLink) {
        let completed = min(count, link.inFlight)
        link.noteCompleted(completed)
        buffers.release(completed, inFlight: &link.inFlight)
    }

    /// The slot whose turn it is when buffers come free: each has its turn once in `slotCount`.
    mutating func nextTurn(of slotCount: Int) -> Int {
        turn = turn + 1 < slotCount ? turn + 1 : 0
        return turn
    }

    // MARK: Listeners

    /// The service of this number; nil if nothing listens there.
    func listener(on spsm: SPSM) -> ChannelListener? { listeners.first { $0.spsm == spsm } }

    /// Lets peers open channels to a service, under the lowest free number unless one is given. Answers the number.
    mutating func listen(on wanted: SPSM?, _ options: ChannelListenerOptions) throws(OrderError) -> SPSM {
        guard let spsm = wanted ?? freeSPSM else { throw .tooManyChannels }
        guard listener(on: spsm) == nil else { throw .busy }
        listeners.append(ChannelListener(spsm: spsm, options: options))
        return spsm
    }

    mutating func stopListening(on spsm: SPSM) { listeners.removeAll { $0.spsm == spsm } }

    private var freeSPSM: SPSM? {
        for number in SPSM.dynamicRange {
            if let spsm = SPSM(rawValue: number), listener(on: spsm) == nil { return spsm }
        }
        return nil
    }
}

/// A service that peers may open channels to.
struct ChannelListener {
    let spsm: SPSM
    let options: ChannelListenerOptions
}
