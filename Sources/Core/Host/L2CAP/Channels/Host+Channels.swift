public import BluethroatVirtualTime

/// The orders for L2CAP credit-based channels. Core 6.0, Vol 3, Part A, 10.
extension Host {
    // MARK: Listening

    /// Lets peers open channels to a service, under the given number or under one of 0x0080 to 0x00FF that is free. The
    /// host need not be on.
    ///
    /// - Returns: the number under which peers reach the service.
    @discardableResult
    public func listen(
        on spsm: SPSM? = nil,
        _ options: ChannelListenerOptions = ChannelListenerOptions()
    ) throws(OrderError) -> SPSM {
        try change { core throws(OrderError) in try core.listen(on: spsm, options) }
    }

    /// Refuses further channels to a service. Those that are open stay open.
    public func stopListening(on spsm: SPSM) {
        change { core in core.stopListening(on: spsm) }
    }

    /// Answers a `requested`: opens the channels, or refuses them for the given reason. An answer that comes too
    /// late is dropped.
    public func answer(
        _ request: ChannelRequestID,
        refusing refusal: ChannelRefusal? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) {
        enter(at: now, into: &actions) { core, actions in
            core.answer(request, refusing: refusal, at: now, into: &actions)
        }
    }

    // MARK: Opening

    /// Asks a peer to open a channel to one of its services. Ends with `opened` or `openFailed`.
    @discardableResult
    public func openChannel(
        _ connection: ConnectionID,
        to spsm: SPSM,
        _ options: ChannelOptions = ChannelOptions(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> L2CAPChannelID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.openChannel(connection, to: spsm, options, at: now, into: &actions)
        }
    }

    /// Asks a peer to open up to five channels at once, with the enhanced procedure. Each ends with `opened` or
    /// `openFailed`. Core 6.0, Vol 3, Part A, 4.25.
    @discardableResult
    public func openChannels(
        _ count: Int,
        _ connection: ConnectionID,
        to spsm: SPSM,
        _ options: ChannelOptions = ChannelOptions(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> [L2CAPChannelID] {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.openChannels(count, connection, to: spsm, options, at: now, into: &actions)
        }
    }

    // MARK: Data

    /// Sends an SDU of at most the peer's MTU, after those that wait.
    ///
    /// - Returns: false if the SDU was not taken since too many bytes wait; `readyToSend` reports when there is room.
    public func send(
        _ sdu: [UInt8],
        on channel: L2CAPChannelID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> Bool {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.send(sdu, on: channel, at: now, into: &actions)
        }
    }

    /// Gives the peer credits back for the oldest SDUs that have come on a channel whose crediting is `whenConsumed`.
    public func consume(
        _ count: Int = 1,
        of channel: L2CAPChannelID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        enter(at: now, into: &actions) { core, actions in
            core.consume(count, of: channel, at: now, into: &actions)
        }
    }

    /// Offers the peer other lengths on enhanced channels of one connection. The MTU may not shrink, and the MPS only
    /// on one channel alone. Ends with `reconfigured`. Core 6.0, Vol 3, Part A, 4.27.
    public func reconfigure(
        _ channels: [L2CAPChannelID],
        mtu: Int,
        mps: Int,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.reconfigure(channels, mtu: mtu, mps: mps, at: now, into: &actions)
        }
    }

    // MARK: Closing

    /// Closes a channel as soon as all that waits has been sent, or at once if that is to be discarded. Ends with
    /// `closed`; until then SDUs of the peer still come, unless it is at once.
    public func closeChannel(
        _ channel: L2CAPChannelID,
        discarding: Bool = false,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.closeChannel(channel, discarding: discarding, at: now, into: &actions)
        }
    }

    // MARK: Looking

    /// What is known of a channel that is open; nil otherwise.
    public func channel(_ id: L2CAPChannelID) -> ChannelDescription? { core.channel(id) }

    /// The channels of a connection that are open, in the order in which they were.
    public func channels(of connection: ConnectionID) -> [L2CAPChannelID] { core.channels(of: connection) }

    /// How full a channel is; nil once it is closed.
    public func levels(of channel: L2CAPChannelID) -> ChannelLevels? { core.levels(of: channel) }
}
