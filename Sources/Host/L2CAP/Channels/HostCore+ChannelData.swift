internal import BluetoothValues
internal import VirtualTime

/// Frames of channels, their credits, and the end of channels.
extension HostCore {
    /// A whole frame has come.
    mutating func receive(
        frame: RawSpan,
        of number: UInt16,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = connections[slot].channels.index(of: number),
            connections[slot].channels.channels[index].isReceiving
        else { return }
        switch connections[slot].channels.channels[index].receiver.receive(frame) {
        case .incomplete: break
        case .sdu(let sdu):
            actions.events.append(.channel(.received(connections[slot].channels.channels[index].id, sdu)))
        case .violation(let violation):
            return self.violation(violation, index, slot: slot, at: now, into: &actions)
        }
        giveCredits(index, slot: slot, into: &actions)
    }

    /// The beginning of a frame that was longer than any channel takes.
    mutating func receiveTooLong(
        frameOf number: UInt16,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = connections[slot].channels.index(of: number),
            connections[slot].channels.channels[index].isReceiving
        else { return }
        violation(.frameTooLong, index, slot: slot, at: now, into: &actions)
    }

    /// Gives the peer the credits that it is due.
    mutating func giveCredits(_ index: Int, slot: Int, into actions: inout HostActions) {
        guard connections[slot].channels.channels[index].isReceiving else { return }
        let grant = connections[slot].channels.channels[index].receiver.takeGrant()
        guard grant > 0 else { return }
        let number = connections[slot].channels.channels[index].id.number
        let credit = FlowControlCredit(channel: number, credits: UInt16(grant))
        let buffer = connections[slot].signalling.indicate(.flowControlCredit(credit))
        send(buffer, on: .signalling, slot: slot, into: &actions)
    }

    // MARK: Sending

    /// Sends what the controller has room for of a connection's channels.
    mutating func pump(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        while sendNext(slot, into: &actions) {}
        settleChannels(slot, at: now, into: &actions)
    }

    /// Tells of channels that have room again, and closes those that have sent all they were to.
    mutating func settleChannels(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        for index in connections[slot].channels.channels.indices.reversed() {
            if connections[slot].channels.channels[index].sender.takeReady(),
                connections[slot].channels.channels[index].state == .open
            {
                actions.events.append(.channel(.readyToSend(connections[slot].channels.channels[index].id)))
            }
            if connections[slot].channels.channels[index].state == .draining,
                connections[slot].channels.channels[index].sender.isEmpty
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
        let id = connections[slot].channels.channels[index].id
        switch connections[slot].channels.channels[index].state {
        case .open, .draining: actions.events.append(.channel(.closed(id, .violation(violation))))
        case .opening, .closing: return
        }
        beginClosing(index, nil, slot: slot, at: now, into: &actions)
    }

    /// Tells the peer that the channel is over. `reason` is for the application, if it has not heard yet.
    mutating func beginClosing(
        _ index: Int,
        _ reason: ChannelCloseReason?,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        connections[slot].channels.channels[index].state = .closing(reason)
        connections[slot].channels.channels[index].sender.removeAll()
        let id = connections[slot].channels.channels[index].id
        let ends = connections[slot].channels.channels[index].ends
        guard connections[slot].signalling.takesRequests else {
            // A peer that answers nothing is not told either.
            connections[slot].channels.remove(at: index)
            if let reason { actions.events.append(.channel(.closed(id, reason))) }
            return
        }
        ask(.disconnection(id, ends), .disconnectionRequest(ends), slot: slot, at: now, into: &actions)
    }

    /// The connection is going; its channels with it.
    mutating func endChannels(slot: Int, reason: ControllerError, into actions: inout HostActions) {
        for request in connections[slot].signalling.takePending() {
            guard case .reconfiguration(let ids, _, _) = request else { continue }
            actions.events.append(.channel(.reconfigured(ids, .disconnected)))
        }
        while let channel = connections[slot].channels.channels.first {
            connections[slot].channels.remove(at: 0)
            switch channel.state {
            case .opening: actions.events.append(.channel(.openFailed(channel.id, .disconnected(reason))))
            case .open, .draining: actions.events.append(.channel(.closed(channel.id, .disconnected(reason))))
            case .closing(let reason?): actions.events.append(.channel(.closed(channel.id, reason)))
            case .closing(nil): break
            }
        }
    }
}
