internal import BluetoothValues
internal import ByteCoding
internal import HCI
internal import VirtualTime

/// L2CAP over the controller's ACL data packets.
extension HostCore {
    // MARK: In

    mutating func receive(acl packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        var bytes = packet.span.bytes
        guard let header = try? ACLHeader(parsing: &bytes), bytes.byteCount == header.dataLength else {
            return actions.events.append(.malformedPacket(.aclData))
        }
        guard phase == .up, let slot = connections.slot(of: header.handle) else { return }
        if !connections[slot].isAnswered { answered(slot, at: now, into: &actions) }
        let limit = att.maximumMTU
        let channelLimit = connections[slot].channels.longestFrame
        let outcome: Recombination.Outcome
        switch header.boundary {
        case .firstNonFlushable, .firstFlushable:
            if bytes.byteCount >= OutgoingPDU.headerLength, !connections[slot].recombination.isUnderWay {
                var frame = bytes
                let length = (try? frame.takeUInt16()) ?? 0
                let channel = ChannelID(rawValue: (try? frame.takeUInt16()) ?? 0)
                if Int(length) == frame.byteCount {
                    // The usual case: a whole frame, read where it lies.
                    return receive(frame, on: channel, slot: slot, at: now, into: &actions)
                }
            }
            outcome = connections[slot].recombination.begin(bytes, attLimit: limit, channelLimit: channelLimit)
        case .continuing:
            outcome = connections[slot].recombination.proceed(bytes, attLimit: limit, channelLimit: channelLimit)
        }
        switch outcome {
        case .incomplete: break
        case .malformed: actions.events.append(.malformedPacket(.aclData))
        case .complete(let frame):
            let channel = ChannelID(rawValue: UInt16(frame[2]) | UInt16(frame[3]) << 8)
            let pdu = frame.span.bytes.extracting(droppingFirst: OutgoingPDU.headerLength)
            receive(pdu, on: channel, slot: slot, at: now, into: &actions)
        case .tooLong(let beginning):
            let channel = ChannelID(rawValue: UInt16(beginning[2]) | UInt16(beginning[3]) << 8)
            let pdu = beginning.span.bytes.extracting(droppingFirst: OutgoingPDU.headerLength)
            switch channel {
            case .attribute:
                att.receiveTooLong(pdu, on: connections[slot].id, into: &attActions)
                carryOutATT(at: now, into: &actions)
            case .signalling:
                let outcome = connections[slot].signalling.receiveBeginning(ofTooLong: pdu)
                perform(outcome, slot: slot, at: now, into: &actions)
            case .securityManager: receiveTooLong(smp: pdu, on: connections[slot].id, at: now, into: &actions)
            default: receiveTooLong(frameOf: channel.rawValue, slot: slot, at: now, into: &actions)
            }
        }
    }

    /// A whole PDU of a channel.
    private mutating func receive(
        _ pdu: RawSpan,
        on channel: ChannelID,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch channel {
        case .attribute: receive(att: pdu, on: connections[slot].id, at: now, into: &actions)
        case .signalling:
            let outcome = connections[slot].signalling.receive(pdu, role: connections[slot].role, at: now)
            perform(outcome, slot: slot, at: now, into: &actions)
        case .securityManager:
            receive(smp: pdu, on: connections[slot].id, at: now, into: &actions)
        default: receive(frame: pdu, of: channel.rawValue, slot: slot, at: now, into: &actions)
        }
    }

    private mutating func perform(
        _ outcome: SignallingChannel.Outcome,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch outcome {
        case .nothing: break
        case .reply(let buffer): send(buffer, on: .signalling, slot: slot, into: &actions)
        case .parameterRequest(let identifier, let request):
            receive(request, identifier: identifier, slot: slot, at: now, into: &actions)
        case .command(let identifier, let command):
            receive(command, identifier: identifier, slot: slot, at: now, into: &actions)
        case .response(let request, let answer):
            receive(answer, to: request, slot: slot, at: now, into: &actions)
        case .answered(let result):
            noteSignallingDeadline()
            actions.events.append(.parameterUpdateCompleted(connections[slot].id, result))
        }
    }

    /// Gives up requests of this host whose answers are overdue, and refuses what the application would not decide.
    mutating func expireSignalling(at now: Instant, into actions: inout HostActions) {
        guard signallingDeadline <= now else { return }
        for slot in 0..<connections.slotCount where connections.isOpen(slot) {
            while let request = connections[slot].signalling.expire(at: now) {
                unanswered(request, .timeout, slot: slot, into: &actions)
            }
            while let overdue = connections[slot].channels.takeOverdueRequest(at: now) {
                refuse(overdue.wish, .noResources, identifier: overdue.identifier, slot: slot, into: &actions)
            }
        }
        noteSignallingDeadline()
    }

    // MARK: Out

    /// How many PDUs may wait on a connection before a peer that asks without end, and takes no answers, gets none.
    private static let mostWaiting = 256

    /// Whether the queue of a connection takes another PDU of the application's. False also promises `readyToSend`
    /// for when it does.
    mutating func hasRoom(slot: Int) -> Bool {
        guard connections[slot].outgoing.count >= configuration.queueLimit else { return true }
        connections[slot].owesReady = true
        return false
    }

    /// Sends a PDU at once where the controller has room and nothing waits before it; else it waits. Answers to the
    /// peer are taken whatever waits already.
    mutating func send(_ buffer: consuming [UInt8], on channel: ChannelID, slot: Int, into actions: inout HostActions) {
        var buffer = consume buffer
        OutgoingPDU.address(&buffer, to: channel)
        let isFirst = connections[slot].outgoing.isEmpty && !connections[slot].channels.isMidFrame
        if isFirst, buffer.count - OutgoingPDU.headerOffset <= buffers.packetLength,
            buffers.allows(inFlight: connections[slot].inFlight)
        {
            ACLHeader.write(handle: connections[slot].id.handle, boundary: .firstNonFlushable, into: &buffer)
            buffers.take(inFlight: &connections[slot].inFlight)
            return actions.packets.append(buffer)
        }
        guard connections[slot].outgoing.count < Self.mostWaiting else { return }
        connections[slot].outgoing.append(buffer)
        if isFirst { while sendNext(slot, into: &actions) {} }
    }

    /// Sends the next packet of a connection; false if there is none, or no room for it.
    mutating func sendNext(_ slot: Int, into actions: inout HostActions) -> Bool {
        guard buffers.allows(inFlight: connections[slot].inFlight),
            let packet = connections[slot].nextPacket(maximumLength: buffers.packetLength)
        else { return false }
        buffers.take(inFlight: &connections[slot].inFlight)
        actions.packets.append(packet)
        return true
    }

    /// Sends what waits, a packet of each connection in turn, until the controller is full or nothing waits.
    mutating func drain(at now: Instant, into actions: inout HostActions) {
        guard phase == .up else { return }
        var idle = 0
        while buffers.free > 0, idle < connections.slotCount {
            turn = turn + 1 < connections.slotCount ? turn + 1 : 0
            guard connections.isOpen(turn), sendNext(turn, into: &actions) else {
                idle += 1
                continue
            }
            idle = 0
            if connections[turn].owesReady, connections[turn].outgoing.count <= configuration.queueLimit / 2 {
                connections[turn].owesReady = false
                actions.events.append(.readyToSend(connections[turn].id))
            }
        }
        for slot in 0..<connections.slotCount where connections.isOpen(slot) {
            settleChannels(slot, at: now, into: &actions)
        }
    }

    /// The controller has sent packets, and has room for so many more. Core 6.0, Vol 4, Part E, 7.7.19.
    mutating func receive(completedPackets packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        let span = packet.span.bytes
        // Indicator, event code, length, and the number of connections, for each of which four bytes follow.
        guard packet.count >= 4, Int(packet[2]) == packet.count - 3, packet.count == 4 + 4 * Int(packet[3]) else {
            return actions.events.append(.malformedPacket(.event(code: packet[1])))
        }
        guard phase == .up else { return }
        var bytes = span.extracting(droppingFirst: 4)
        while let raw = try? bytes.takeUInt16(), let count = try? bytes.takeUInt16() {
            guard let handle = ConnectionHandle(rawValue: raw & 0x0FFF), let slot = connections.slot(of: handle) else {
                continue
            }
            let completed = min(Int(count), connections[slot].inFlight)
            connections[slot].mostCompletedAtOnce = max(connections[slot].mostCompletedAtOnce, completed)
            buffers.release(completed, inFlight: &connections[slot].inFlight)
        }
        drain(at: now, into: &actions)
    }
}
