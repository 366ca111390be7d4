internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// What peers want of channels. Core 6.0, Vol 3, Part A, 4.
extension HostCore {
    /// A request or an indication of the peer's.
    mutating func handleChannelCommand(
        _ command: SignallingPDU,
        identifier: UInt8,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch command {
        case .connectionRequest(let request):
            handleConnectionRequest(request, identifier: identifier, slot: slot, at: now, into: &actions)
        case .enhancedConnectionRequest(let request):
            handleEnhancedConnectionRequest(request, identifier: identifier, slot: slot, at: now, into: &actions)
        case .flowControlCredit(let credit): handleFlowControlCredit(credit, slot: slot, at: now, into: &actions)
        case .disconnectionRequest(let ends):
            handleDisconnectionRequest(ends, identifier: identifier, slot: slot, into: &actions)
        case .reconfigureRequest(let request):
            handleReconfigureRequest(request, identifier: identifier, slot: slot, into: &actions)
        default: break
        }
    }

    // MARK: Opening

    private mutating func handleConnectionRequest(
        _ request: CreditBasedConnectionRequest,
        identifier: UInt8,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let spsm = SPSM(rawValue: request.spsm), let listener = l2cap.listener(on: spsm) else {
            let response = CreditBasedConnectionResponse.refused(.spsmNotSupported)
            return reply(.connectionResponse(response), identifier: identifier, slot: slot, into: &actions)
        }
        let proposal = ChannelProposal(
            spsm: spsm,
            sources: [request.sourceChannel],
            mtu: request.mtu,
            mps: request.mps,
            credits: request.initialCredits,
            isEnhanced: false
        )
        handleChannelProposal(proposal, listener, identifier: identifier, slot: slot, at: now, into: &actions)
    }

    private mutating func handleEnhancedConnectionRequest(
        _ request: EnhancedConnectionRequest,
        identifier: UInt8,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let count = request.sourceChannels.count
        func refuse(_ reason: ChannelRefusal) {
            let response = EnhancedConnectionResponse.refused(reason, count: count)
            reply(.enhancedConnectionResponse(response), identifier: identifier, slot: slot, into: &actions)
        }
        guard (1...EnhancedConnectionRequest.mostChannels).contains(count) else { return refuse(.invalidParameters) }
        guard let spsm = SPSM(rawValue: request.spsm), let listener = l2cap.listener(on: spsm) else {
            return refuse(.spsmNotSupported)
        }
        let proposal = ChannelProposal(
            spsm: spsm,
            sources: request.sourceChannels,
            mtu: request.mtu,
            mps: request.mps,
            credits: request.initialCredits,
            isEnhanced: true
        )
        handleChannelProposal(proposal, listener, identifier: identifier, slot: slot, at: now, into: &actions)
    }

    private mutating func handleChannelProposal(
        _ proposal: ChannelProposal,
        _ listener: ChannelListener,
        identifier: UInt8,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        if let refusal = refusal(of: proposal, listener, slot: slot) {
            return refuse(proposal, refusal, identifier: identifier, slot: slot, into: &actions)
        }
        guard listener.options.asks, proposal.sources.contains(where: { problem(with: $0, slot: slot) == nil }) else {
            return grant(proposal, identifier: identifier, slot: slot, at: now, into: &actions)
        }
        guard let id = links[slot].ask(proposal, identifier: identifier, at: now) else {
            return refuse(proposal, .noResources, identifier: identifier, slot: slot, into: &actions)
        }
        let request = ChannelRequest(
            id: id,
            spsm: proposal.spsm,
            count: proposal.sources.count,
            peerMTU: Int(proposal.mtu),
            peerMPS: Int(proposal.mps)
        )
        actions.events.append(.channel(.requested(request)))
    }

    /// Why no part of a request can be granted; nil if it is a matter of each channel.
    private func refusal(of proposal: ChannelProposal, _ listener: ChannelListener, slot: Int) -> ChannelRefusal? {
        if let error = listener.options.access.error(
            on: links[slot].security.level,
            refusal: .insufficientAuthorization
        ) {
            return ChannelRefusal(error)
        }
        let least: UInt16 = proposal.isEnhanced ? 64 : 23
        let own = listener.options.channel
        guard proposal.mtu >= least, (least...0xFFFD).contains(proposal.mps) else { return .unacceptableParameters }
        // A service whose own lengths are too short for enhanced channels has only ordinary ones.
        return own.isValid(enhanced: proposal.isEnhanced) ? nil : .noResources
    }

    /// Why a channel with this number at the peer's end cannot be opened; nil if it can.
    private func problem(with source: UInt16, slot: Int) -> ChannelRefusal? {
        guard ChannelSet.numbers.contains(source) else { return .invalidSourceChannel }
        return links[slot].l2cap.channels.index(ofPeer: source) == nil ? nil : .sourceChannelAllocated
    }

    /// Opens as many of the channels as can be, and reports them to the peer.
    mutating func grant(
        _ proposal: ChannelProposal,
        identifier: UInt8,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let listener = l2cap.listener(on: proposal.spsm) else {
            return refuse(proposal, .spsmNotSupported, identifier: identifier, slot: slot, into: &actions)
        }
        // While the application was asked it may have come to listen otherwise, and the link may have become worse.
        if let refusal = refusal(of: proposal, listener, slot: slot) {
            return refuse(proposal, refusal, identifier: identifier, slot: slot, into: &actions)
        }
        var destinations: [UInt16] = []
        var opened: [L2CAPChannelID] = []
        var refusal: ChannelRefusal?
        for source in proposal.sources {
            if let problem = problem(with: source, slot: slot) {
                refusal = refusal ?? problem
                destinations.append(0)
            } else if let id = open(proposal, source, listener, slot: slot) {
                opened.append(id)
                destinations.append(id.number)
            } else {
                refusal = refusal ?? .noResources
                destinations.append(0)
            }
        }
        let own = listener.options.channel
        let result = refusal?.rawValue ?? 0
        if proposal.isEnhanced {
            let response = EnhancedConnectionResponse(
                mtu: UInt16(own.mtu),
                mps: UInt16(own.mps),
                initialCredits: UInt16(own.firstCredits),
                result: result,
                destinationChannels: destinations
            )
            reply(.enhancedConnectionResponse(response), identifier: identifier, slot: slot, into: &actions)
        } else if let refusal {
            refuse(proposal, refusal, identifier: identifier, slot: slot, into: &actions)
        } else {
            let response = CreditBasedConnectionResponse(
                destinationChannel: destinations[0],
                mtu: UInt16(own.mtu),
                mps: UInt16(own.mps),
                initialCredits: UInt16(own.firstCredits),
                result: 0
            )
            reply(.connectionResponse(response), identifier: identifier, slot: slot, into: &actions)
        }
        for id in opened { announce(id, slot: slot, into: &actions) }
    }

    /// Opens a channel that the peer asked for; nil if there is no room for it.
    private mutating func open(
        _ proposal: ChannelProposal,
        _ source: UInt16,
        _ listener: ChannelListener,
        slot: Int
    ) -> L2CAPChannelID? {
        guard links[slot].l2cap.channels.channels.count < configuration.maximumChannels,
            links[slot].l2cap.channels.count(of: proposal.spsm) < listener.options.maximumChannels,
            let id = links[slot].l2cap.channels.nextID(on: links[slot].id)
        else { return nil }
        var channel = Channel(
            id: id,
            spsm: proposal.spsm,
            isIncoming: true,
            isEnhanced: proposal.isEnhanced,
            options: listener.options.channel,
            packetLength: l2cap.packetLength
        )
        channel.open(peerNumber: source, mtu: proposal.mtu, mps: proposal.mps, credits: proposal.credits)
        links[slot].l2cap.channels.append(channel)
        return id
    }

    mutating func refuse(
        _ proposal: ChannelProposal,
        _ refusal: ChannelRefusal,
        identifier: UInt8,
        slot: Int,
        into actions: inout HostActions
    ) {
        let response: SignallingPDU =
            proposal.isEnhanced
            ? .enhancedConnectionResponse(.refused(refusal, count: proposal.sources.count))
            : .connectionResponse(.refused(refusal))
        reply(response, identifier: identifier, slot: slot, into: &actions)
    }

    // MARK: Open channels

    private mutating func handleFlowControlCredit(
        _ credit: FlowControlCredit,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        // No credits, or credits for a channel that there is not, are nothing to answer.
        guard credit.credits > 0, let index = links[slot].l2cap.channels.index(ofPeer: credit.channel),
            links[slot].l2cap.channels.channels[index].isReceiving
        else { return }
        guard links[slot].l2cap.channels.channels[index].sender.add(credits: Int(credit.credits)) else {
            return violation(.tooManyCredits, index, slot: slot, at: now, into: &actions)
        }
        pump(slot, at: now, into: &actions)
    }

    private mutating func handleDisconnectionRequest(
        _ ends: ChannelEnds,
        identifier: UInt8,
        slot: Int,
        into actions: inout HostActions
    ) {
        guard let index = links[slot].l2cap.channels.index(of: ends.destination),
            links[slot].l2cap.channels.channels[index].peerNumber != 0
        else {
            let reject = CommandReject.invalidChannel(ends.destination, ends.source)
            return reply(.commandReject(reject), identifier: identifier, slot: slot, into: &actions)
        }
        // Of a channel whose other end is another, nothing is said. Core 6.0, Vol 3, Part A, 4.6.
        guard links[slot].l2cap.channels.channels[index].peerNumber == ends.source else { return }
        reply(.disconnectionResponse(ends), identifier: identifier, slot: slot, into: &actions)
        let channel = links[slot].l2cap.channels.remove(at: index)
        switch channel.state {
        case .closing(nil): break
        case .closing(let reason?): actions.events.append(.channel(.closed(channel.id, reason)))
        case .opening, .open, .draining: actions.events.append(.channel(.closed(channel.id, .closedByPeer)))
        }
    }

    private mutating func handleReconfigureRequest(
        _ request: ReconfigureRequest,
        identifier: UInt8,
        slot: Int,
        into actions: inout HostActions
    ) {
        let result = result(of: request, slot: slot)
        let response = ReconfigureResponse(result: result.rawValue)
        reply(.reconfigureResponse(response), identifier: identifier, slot: slot, into: &actions)
        guard result == .success else { return }
        let mtu = Int(request.mtu), mps = Int(request.mps)
        for number in request.channels {
            guard let index = links[slot].l2cap.channels.index(ofPeer: number) else { continue }
            links[slot].l2cap.channels.channels[index].sender.configure(mtu: mtu, mps: mps)
            let id = links[slot].l2cap.channels.channels[index].id
            actions.events.append(.channel(.peerReconfigured(id, mtu: mtu, mps: mps)))
        }
    }

    /// Whether the peer may have other lengths. Core 6.0, Vol 3, Part A, 7.11.
    private func result(of request: ReconfigureRequest, slot: Int) -> ReconfigureResult {
        guard (1...EnhancedConnectionRequest.mostChannels).contains(request.channels.count), request.mtu >= 64,
            (64...0xFFFD).contains(request.mps)
        else { return .unacceptableParameters }
        var result = ReconfigureResult.success
        for number in request.channels {
            guard let index = links[slot].l2cap.channels.index(ofPeer: number),
                links[slot].l2cap.channels.channels[index].isEnhanced,
                links[slot].l2cap.channels.channels[index].isReceiving
            else { return .invalidChannel }
            let now = links[slot].l2cap.channels.channels[index].description
            if Int(request.mtu) < now.peerMTU {
                result = .mtuReduced
            } else if Int(request.mps) < now.peerMPS, request.channels.count > 1, result == .success {
                result = .mpsReduced
            }
        }
        return result
    }

    mutating func reply(
        _ response: SignallingPDU,
        identifier: UInt8,
        slot: Int,
        into actions: inout HostActions
    ) {
        send(response.buffer(identifier: identifier), on: .signalling, slot: slot, into: &actions)
    }
}
