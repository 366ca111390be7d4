internal import BluethroatVirtualTime

/// The orders for L2CAP credit-based channels. Core 6.0, Vol 3, Part A, 10.
extension HostCore {
    // MARK: Listening

    @discardableResult
    mutating func listen(
        on spsm: SPSM? = nil,
        _ options: ChannelListenerOptions = ChannelListenerOptions()
    ) throws(OrderError) -> SPSM {
        guard options.channel.isValid(enhanced: false), options.maximumChannels > 0 else {
            throw .parametersOutOfRange
        }
        return try l2cap.listen(on: spsm, options)
    }

    mutating func stopListening(on spsm: SPSM) { l2cap.stopListening(on: spsm) }

    mutating func answer(
        _ request: ChannelRequestID,
        refusing refusal: ChannelRefusal? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard controller.phase == .up, let slot = links.slot(of: request.connection),
            let pending = links[slot].takeRequest(request)
        else { return }
        if let refusal {
            refuse(pending.proposal, refusal, identifier: pending.identifier, slot: slot, into: &actions)
        } else {
            grant(pending.proposal, identifier: pending.identifier, slot: slot, at: now, into: &actions)
        }
    }

    // MARK: Opening

    @discardableResult
    mutating func openChannel(
        _ connection: ConnectionID,
        to spsm: SPSM,
        _ options: ChannelOptions = ChannelOptions(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> L2CAPChannelID {
        let slot = try slot(of: connection)
        guard options.isValid(enhanced: false) else { throw .parametersOutOfRange }
        let id = try reserve(1, spsm, options, isEnhanced: false, slot: slot)[0]
        let request = CreditBasedConnectionRequest(
            spsm: spsm.rawValue,
            sourceChannel: id.number,
            mtu: UInt16(options.mtu),
            mps: UInt16(options.mps),
            initialCredits: UInt16(options.firstCredits)
        )
        ask(.connection(id), .connectionRequest(request), slot: slot, at: now, into: &actions)
        return id
    }

    @discardableResult
    mutating func openChannels(
        _ count: Int,
        _ connection: ConnectionID,
        to spsm: SPSM,
        _ options: ChannelOptions = ChannelOptions(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> [L2CAPChannelID] {
        let slot = try slot(of: connection)
        guard options.isValid(enhanced: true), options.firstCredits > 0,
            (1...EnhancedConnectionRequest.mostChannels).contains(count)
        else { throw .parametersOutOfRange }
        let ids = try reserve(count, spsm, options, isEnhanced: true, slot: slot)
        let request = EnhancedConnectionRequest(
            spsm: spsm.rawValue,
            mtu: UInt16(options.mtu),
            mps: UInt16(options.mps),
            initialCredits: UInt16(options.firstCredits),
            sourceChannels: ids.map(\.number)
        )
        ask(.enhancedConnection(ids), .enhancedConnectionRequest(request), slot: slot, at: now, into: &actions)
        return ids
    }

    private mutating func reserve(
        _ count: Int,
        _ spsm: SPSM,
        _ options: ChannelOptions,
        isEnhanced: Bool,
        slot: Int
    ) throws(OrderError) -> [L2CAPChannelID] {
        guard links[slot].l2cap.channels.channels.count + count <= configuration.maximumChannels,
            links[slot].l2cap.signalling.takesRequests
        else { throw .tooManyChannels }
        var ids: [L2CAPChannelID] = []
        for _ in 0..<count {
            guard let id = links[slot].l2cap.channels.nextID(on: links[slot].id) else { throw .tooManyChannels }
            let channel = Channel(
                id: id,
                spsm: spsm,
                isIncoming: false,
                isEnhanced: isEnhanced,
                options: options,
                packetLength: l2cap.packetLength
            )
            links[slot].l2cap.channels.append(channel)
            ids.append(id)
        }
        return ids
    }

    // MARK: Data

    mutating func send(
        _ sdu: consuming [UInt8],
        on channel: L2CAPChannelID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> Bool {
        let (slot, index) = try place(of: channel)
        guard links[slot].l2cap.channels.channels[index].state == .open else { throw .noSuchChannel }
        guard sdu.count <= links[slot].l2cap.channels.channels[index].sender.peerMTU else { throw .valueTooLong }
        guard links[slot].l2cap.channels.channels[index].sender.append(sdu) else { return false }
        pump(slot, at: now, into: &actions)
        return true
    }

    mutating func consume(
        _ count: Int = 1,
        of channel: L2CAPChannelID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let (slot, index) = try? place(of: channel) else { return }
        links[slot].l2cap.channels.channels[index].receiver.consume(max(count, 0))
        giveCredits(index, slot: slot, into: &actions)
    }

    mutating func reconfigure(
        _ channels: [L2CAPChannelID],
        mtu: Int,
        mps: Int,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        guard let connection = channels.first?.connection,
            (1...EnhancedConnectionRequest.mostChannels).contains(channels.count),
            (64...0xFFFF).contains(mtu), (64...0xFFFD).contains(mps)
        else { throw .parametersOutOfRange }
        let slot = try slot(of: connection)
        guard links[slot].l2cap.signalling.takesRequests else { throw .busy }
        for id in channels {
            guard let index = links[slot].l2cap.channels.index(of: id),
                links[slot].l2cap.channels.channels[index].state == .open
            else { throw .noSuchChannel }
            guard links[slot].l2cap.channels.channels[index].isEnhanced else { throw .unsupported }
            guard !links[slot].l2cap.channels.channels[index].isReconfiguring else { throw .busy }
            let now = links[slot].l2cap.channels.channels[index].description
            guard mtu >= now.mtu, mps >= now.mps || channels.count == 1 else { throw .parametersOutOfRange }
        }
        for id in channels {
            guard let index = links[slot].l2cap.channels.index(of: id) else { continue }
            links[slot].l2cap.channels.channels[index].isReconfiguring = true
        }
        let request = ReconfigureRequest(mtu: UInt16(mtu), mps: UInt16(mps), channels: channels.map(\.number))
        ask(
            .reconfiguration(channels, mtu: mtu, mps: mps),
            .reconfigureRequest(request),
            slot: slot,
            at: now,
            into: &actions
        )
    }

    // MARK: Closing

    mutating func closeChannel(
        _ channel: L2CAPChannelID,
        discarding: Bool = false,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let (slot, index) = try place(of: channel)
        switch links[slot].l2cap.channels.channels[index].state {
        case .opening: links[slot].l2cap.channels.channels[index].state = .closing(.closedHere)
        case .open, .draining:
            if discarding || links[slot].l2cap.channels.channels[index].sender.isEmpty {
                beginClosing(index, .closedHere, slot: slot, at: now, into: &actions)
            } else {
                links[slot].l2cap.channels.channels[index].state = .draining
            }
        case .closing: break
        }
    }

    // MARK: Looking

    func channel(_ id: L2CAPChannelID) -> ChannelDescription? {
        guard let (slot, index) = try? place(of: id), links[slot].l2cap.channels.channels[index].isReceiving else {
            return nil
        }
        return links[slot].l2cap.channels.channels[index].description
    }

    func channels(of connection: ConnectionID) -> [L2CAPChannelID] {
        guard let slot = try? slot(of: connection) else { return [] }
        return links[slot].l2cap.channels.channels.filter(\.isReceiving).map(\.id)
    }

    func levels(of channel: L2CAPChannelID) -> ChannelLevels? {
        guard let (slot, index) = try? place(of: channel) else { return nil }
        return ChannelLevels(
            queuedBytes: links[slot].l2cap.channels.channels[index].sender.queuedBytes,
            credits: links[slot].l2cap.channels.channels[index].sender.credits,
            peerCredits: links[slot].l2cap.channels.channels[index].receiver.credits
        )
    }

    /// Where a channel is kept that is not closed yet.
    private func place(of channel: L2CAPChannelID) throws(OrderError) -> (slot: Int, index: Int) {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard let slot = links.slot(of: channel.connection),
            let index = links[slot].l2cap.channels.index(of: channel)
        else { throw .noSuchChannel }
        return (slot, index)
    }
}

/// How full a channel is.
public struct ChannelLevels: Hashable, Sendable {
    /// Bytes that wait to be sent.
    public let queuedBytes: Int
    /// Frames that the peer takes now. While it is 0, what waits must wait.
    public let credits: Int
    /// Frames that this end takes now.
    public let peerCredits: Int
}
