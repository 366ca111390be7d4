internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// What comes of this end's requests about channels. Core 6.0, Vol 3, Part A, 4.
extension HostCore {
    /// Sends a request whose answer is awaited.
    mutating func ask(
        _ request: SignallingRequest,
        _ pdu: SignallingPDU,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let buffer = links[slot].beginSignalling(request, pdu, at: now)
        send(buffer, on: .signalling, slot: slot, into: &actions)
    }

    /// The peer has answered. Of a bonded one that has not shown its key on this connection a channel counts as refused.
    mutating func handleChannelAnswer(
        _ answer: SignallingPDU,
        to request: SignallingRequest,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        if links[slot].security.awaitsProof, request.opensChannels {
            return unanswered(request, .refused(.insufficientAuthentication), slot: slot, into: &actions)
        }
        switch (request, answer) {
        case (.connection(let id), .connectionResponse(let response)):
            let offer = Offer(response)
            handleOffer(offer, response.destinationChannel, for: id, slot: slot, at: now, into: &actions)
        case (.enhancedConnection(let ids), .enhancedConnectionResponse(let response)):
            let offer = Offer(response)
            for (place, id) in ids.enumerated() {
                let list = response.destinationChannels
                let destination = place < list.count ? list[place] : 0
                handleOffer(offer, destination, for: id, slot: slot, at: now, into: &actions)
            }
        case (.reconfiguration(let ids, let mtu, let mps), .reconfigureResponse(let response)):
            let result = ReconfigureResult(rawValue: response.result)
            if result == .success { reconfigured(ids, mtu: mtu, mps: mps, slot: slot) }
            endReconfiguration(ids, .answered(result), slot: slot, into: &actions)
        // Rejected: the peer does not know the command, or does not know the channel any more.
        default: unanswered(request, .notUnderstood, slot: slot, into: &actions)
        }
    }

    /// A request of this end failed.
    mutating func unanswered(
        _ request: SignallingRequest,
        _ failure: ChannelOpenFailure,
        slot: Int,
        into actions: inout HostActions
    ) {
        switch request {
        case .parameterUpdate:
            actions.events.append(.parameterUpdateCompleted(links[slot].id, .timeout))
        case .connection(let id): openingFailed(id, failure, slot: slot, into: &actions)
        case .enhancedConnection(let ids):
            for id in ids { openingFailed(id, failure, slot: slot, into: &actions) }
        case .disconnection(let id, _):
            // Answered, rejected or ignored: the channel is no more.
            guard let index = links[slot].l2cap.channels.index(of: id) else { return }
            let channel = links[slot].l2cap.channels.remove(at: index)
            guard case .closing(let reason?) = channel.state else { return }
            actions.events.append(.channel(.closed(id, reason)))
        case .reconfiguration(let ids, _, _):
            let outcome: ReconfigureOutcome = failure == .timeout ? .timeout : .notUnderstood
            endReconfiguration(ids, outcome, slot: slot, into: &actions)
        }
    }

    // MARK: Opening

    /// What the peer offers for a channel, or for several.
    private struct Offer {
        var mtu: UInt16
        var mps: UInt16
        var credits: UInt16
        var refusal: ChannelRefusal?
        /// Whether the refusal concerns some of the channels only.
        var isPartial = false
        var least: UInt16

        init(_ response: CreditBasedConnectionResponse) {
            mtu = response.mtu
            mps = response.mps
            credits = response.initialCredits
            refusal = response.result == 0 ? nil : ChannelRefusal(rawValue: response.result)
            least = 23
        }

        init(_ response: EnhancedConnectionResponse) {
            mtu = response.mtu
            mps = response.mps
            credits = response.initialCredits
            refusal = response.result == 0 ? nil : ChannelRefusal(rawValue: response.result)
            if let refusal {
                isPartial =
                    refusal == .noResources || refusal == .invalidSourceChannel || refusal == .sourceChannelAllocated
            }
            least = 64
        }

        var isValid: Bool { mtu >= least && (least...0xFFFD).contains(mps) }
    }

    private mutating func handleOffer(
        _ offer: Offer,
        _ destination: UInt16,
        for id: L2CAPChannelID,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        if let refusal = offer.refusal, !offer.isPartial || destination == 0 {
            return openingFailed(id, .refused(refusal), slot: slot, into: &actions)
        }
        guard ChannelSet.numbers.contains(destination) else {
            return openingFailed(id, .malformedResponse, slot: slot, into: &actions)
        }
        if let other = links[slot].l2cap.channels.index(ofPeer: destination) {
            // The two cannot be distinguished any more. Core 6.0, Vol 3, Part A, 4.26.
            violation(.channelAllocatedTwice, other, slot: slot, at: now, into: &actions)
            return openingFailed(id, .malformedResponse, slot: slot, into: &actions)
        }
        guard let index = links[slot].l2cap.channels.index(of: id) else { return }
        let state = links[slot].l2cap.channels.channels[index].state
        links[slot].l2cap.channels.channels[index].open(
            peerNumber: destination,
            mtu: offer.mtu,
            mps: offer.mps,
            credits: offer.credits
        )
        if case .closing = state {
            // The application has thought better of it.
            beginClosing(index, .closedHere, slot: slot, at: now, into: &actions)
        } else if offer.isValid {
            announce(id, slot: slot, into: &actions)
        } else {
            actions.events.append(.channel(.openFailed(id, .malformedResponse)))
            beginClosing(index, nil, slot: slot, at: now, into: &actions)
        }
    }

    private mutating func openingFailed(
        _ id: L2CAPChannelID,
        _ failure: ChannelOpenFailure,
        slot: Int,
        into actions: inout HostActions
    ) {
        guard let index = links[slot].l2cap.channels.index(of: id) else { return }
        let channel = links[slot].l2cap.channels.remove(at: index)
        if case .closing(let reason) = channel.state {
            actions.events.append(.channel(.closed(id, reason ?? .closedHere)))
        } else {
            actions.events.append(.channel(.openFailed(id, failure)))
        }
    }

    /// Reports an open channel to the application, and gives the peer the credits beyond those that it began with.
    mutating func announce(_ id: L2CAPChannelID, slot: Int, into actions: inout HostActions) {
        guard let index = links[slot].l2cap.channels.index(of: id) else { return }
        actions.events.append(.channel(.opened(links[slot].l2cap.channels.channels[index].description)))
        giveCredits(index, slot: slot, into: &actions)
    }

    // MARK: Other lengths

    private mutating func reconfigured(_ ids: [L2CAPChannelID], mtu: Int, mps: Int, slot: Int) {
        for id in ids {
            guard let index = links[slot].l2cap.channels.index(of: id) else { continue }
            links[slot].l2cap.channels.channels[index].receiver.reconfigure(mtu: mtu, mps: mps)
        }
        links[slot].l2cap.channels.noteLongestFrame()
    }

    private mutating func endReconfiguration(
        _ ids: [L2CAPChannelID],
        _ outcome: ReconfigureOutcome,
        slot: Int,
        into actions: inout HostActions
    ) {
        for id in ids {
            guard let index = links[slot].l2cap.channels.index(of: id) else { continue }
            links[slot].l2cap.channels.channels[index].isReconfiguring = false
        }
        actions.events.append(.channel(.reconfigured(ids, outcome)))
    }
}
