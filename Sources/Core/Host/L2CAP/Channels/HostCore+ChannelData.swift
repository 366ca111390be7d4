internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// Frames of channels, their credits, and the end of channels.
extension HostCore {
    /// A whole frame has come. A bonded peer that has not shown its key on this connection may be any device with its address:
    /// what it sends to a central is dropped, as in ATT. A peripheral has channels only that its listeners have let it open.
    mutating func handleFrame(
        _ frame: RawSpan,
        of number: UInt16,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = links[slot].l2cap.channels.index(of: number),
            links[slot].l2cap.channels.channels[index].isReceiving,
            links[slot].role == .peripheral || !links[slot].security.awaitsProof
        else { return }
        switch links[slot].l2cap.channels.channels[index].receiver.handleFrame(frame) {
        case .incomplete: break
        case .sdu(let sdu):
            actions.events.append(.channel(.received(links[slot].l2cap.channels.channels[index].id, sdu)))
        case .violation(let violation):
            return self.violation(violation, index, slot: slot, at: now, into: &actions)
        }
        giveCredits(index, slot: slot, into: &actions)
    }

    /// The beginning of a frame that was longer than any channel takes.
    mutating func handleTooLongFrame(
        of number: UInt16,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = links[slot].l2cap.channels.index(of: number),
            links[slot].l2cap.channels.channels[index].isReceiving
        else { return }
        violation(.frameTooLong, index, slot: slot, at: now, into: &actions)
    }

    /// Gives the peer the credits that it is due.
    mutating func giveCredits(_ index: Int, slot: Int, into actions: inout HostActions) {
        guard links[slot].l2cap.channels.channels[index].isReceiving else { return }
        let grant = links[slot].l2cap.channels.channels[index].receiver.takeGrant()
        guard grant > 0 else { return }
        let number = links[slot].l2cap.channels.channels[index].id.number
        let credit = FlowControlCredit(channel: number, credits: UInt16(grant))
        let buffer = links[slot].l2cap.signalling.indicate(.flowControlCredit(credit))
        send(buffer, on: .signalling, slot: slot, into: &actions)
    }

    // MARK: Sending

    /// Sends what the controller has room for of a connection's channels.
    mutating func pump(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        while sendNext(slot, into: &actions) {}
        updateChannels(slot, at: now, into: &actions)
    }

    /// Reports channels that have room again, and closes those that have sent all they were to.
    mutating func updateChannels(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        for index in links[slot].l2cap.channels.channels.indices.reversed() {
            if links[slot].l2cap.channels.channels[index].sender.takeReady(),
                links[slot].l2cap.channels.channels[index].state == .open
            {
                actions.events.append(.channel(.readyToSend(links[slot].l2cap.channels.channels[index].id)))
            }
            if links[slot].l2cap.channels.channels[index].state == .draining,
                links[slot].l2cap.channels.channels[index].sender.isEmpty
            {
                beginClosing(index, .closedHere, slot: slot, at: now, into: &actions)
            }
        }
    }

    // MARK: The end

    /// The peer broke a rule.
    mutating func violation(
        _ violation: ChannelViolation,
        _ index: Int,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let id = links[slot].l2cap.channels.channels[index].id
        switch links[slot].l2cap.channels.channels[index].state {
        case .open, .draining: actions.events.append(.channel(.closed(id, .violation(violation))))
        case .opening, .closing: return
        }
        beginClosing(index, nil, slot: slot, at: now, into: &actions)
    }

    /// Reports to the peer that the channel is over. `reason` is for the application, if it has had no event yet.
    mutating func beginClosing(
        _ index: Int,
        _ reason: ChannelCloseReason?,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        links[slot].l2cap.channels.channels[index].state = .closing(reason)
        links[slot].l2cap.channels.channels[index].sender.removeAll()
        let id = links[slot].l2cap.channels.channels[index].id
        let ends = links[slot].l2cap.channels.channels[index].ends
        guard links[slot].l2cap.signalling.takesRequests else {
            // A peer that answers nothing gets no report either.
            links[slot].l2cap.channels.remove(at: index)
            if let reason { actions.events.append(.channel(.closed(id, reason))) }
            return
        }
        ask(.disconnection(id, ends), .disconnectionRequest(ends), slot: slot, at: now, into: &actions)
    }

    /// The connection is going; its channels with it.
    mutating func endChannels(slot: Int, reason: ControllerError, into actions: inout HostActions) {
        for request in links[slot].l2cap.signalling.takePending() {
            guard case .reconfiguration(let ids, _, _) = request else { continue }
            actions.events.append(.channel(.reconfigured(ids, .disconnected)))
        }
        while let channel = links[slot].l2cap.channels.channels.first {
            links[slot].l2cap.channels.remove(at: 0)
            switch channel.state {
            case .opening: actions.events.append(.channel(.openFailed(channel.id, .disconnected(reason))))
            case .open, .draining: actions.events.append(.channel(.closed(channel.id, .disconnected(reason))))
            case .closing(let reason?): actions.events.append(.channel(.closed(channel.id, reason)))
            case .closing(nil): break
            }
        }
    }
}
