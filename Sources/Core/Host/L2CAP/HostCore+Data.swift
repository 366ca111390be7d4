internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// L2CAP over the controller's ACL data packets.
extension HostCore {
    // MARK: In

    mutating func handleACLData(_ packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        var bytes = packet.span.bytes
        guard let header = try? ACLHeader(parsing: &bytes), bytes.byteCount == header.dataLength else {
            return actions.events.append(.malformedPacket(.aclData))
        }
        guard controller.phase == .up, let slot = links.slot(of: header.handle) else { return }
        if !links[slot].control.isAnswered { answered(slot, at: now, into: &actions) }
        let limit = att.maximumMTU
        let channelLimit = links[slot].l2cap.channels.longestFrame
        let outcome: Recombination.Outcome
        switch header.boundary {
        case .firstNonFlushable, .firstFlushable:
            if bytes.byteCount >= OutgoingPDU.headerLength, !links[slot].l2cap.recombination.isUnderWay {
                var frame = bytes
                let length = (try? frame.takeUInt16()) ?? 0
                let channel = ChannelID(rawValue: (try? frame.takeUInt16()) ?? 0)
                if Int(length) == frame.byteCount {
                    // The usual case: a whole frame, read where it lies.
                    return handlePDU(frame, on: channel, slot: slot, at: now, into: &actions)
                }
            }
            outcome = links[slot].l2cap.recombination.begin(bytes, attLimit: limit, channelLimit: channelLimit)
        case .continuing:
            outcome = links[slot].l2cap.recombination.proceed(bytes, attLimit: limit, channelLimit: channelLimit)
        }
        switch outcome {
        case .incomplete: break
        case .malformed: actions.events.append(.malformedPacket(.aclData))
        case .complete(let frame):
            let channel = ChannelID(rawValue: UInt16(frame[2]) | UInt16(frame[3]) << 8)
            let pdu = frame.span.bytes.extracting(droppingFirst: OutgoingPDU.headerLength)
            handlePDU(pdu, on: channel, slot: slot, at: now, into: &actions)
        case .tooLong(let beginning):
            let channel = ChannelID(rawValue: UInt16(beginning[2]) | UInt16(beginning[3]) << 8)
            let pdu = beginning.span.bytes.extracting(droppingFirst: OutgoingPDU.headerLength)
            switch channel {
            case .attribute:
                att.handleTooLongPDU(pdu, on: &links[slot], into: &attActions)
                carryOutATT(slot, at: now, into: &actions)
            case .signalling:
                let outcome = links[slot].l2cap.signalling.receiveBeginning(ofTooLong: pdu)
                perform(outcome, slot: slot, at: now, into: &actions)
            case .securityManager: handleTooLongSecurityPDU(pdu, slot, at: now, into: &actions)
            default: handleTooLongFrame(of: channel.rawValue, slot: slot, at: now, into: &actions)
            }
        }
    }

    /// A whole PDU of a channel.
    private mutating func handlePDU(
        _ pdu: RawSpan,
        on channel: ChannelID,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch channel {
        case .attribute: handleAttributePDU(pdu, slot, at: now, into: &actions)
        case .signalling:
            let outcome = links[slot].receiveSignalling(pdu, at: now)
            perform(outcome, slot: slot, at: now, into: &actions)
        case .securityManager:
            handleSecurityPDU(pdu, slot, at: now, into: &actions)
        default: handleFrame(pdu, of: channel.rawValue, slot: slot, at: now, into: &actions)
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
            handleParameterUpdateRequest(request, identifier: identifier, slot: slot, at: now, into: &actions)
        case .command(let identifier, let command):
            handleChannelCommand(command, identifier: identifier, slot: slot, at: now, into: &actions)
        case .response(let request, let answer):
            handleChannelAnswer(answer, to: request, slot: slot, at: now, into: &actions)
        case .answered(let result):
            actions.events.append(.parameterUpdateCompleted(links[slot].id, result))
        }
    }

    /// The peer has not answered a request of this host in time.
    mutating func signallingTimedOut(identifier: UInt8, _ slot: Int, into actions: inout HostActions) {
        guard let request = links[slot].l2cap.signalling.giveUp(identifier: identifier) else { return }
        unanswered(request, .timeout, slot: slot, into: &actions)
    }

    /// The application has not decided in time about channels that the peer has asked for.
    mutating func channelRequestTimedOut(number: UInt32, _ slot: Int, into actions: inout HostActions) {
        guard let overdue = links[slot].l2cap.channels.giveUpRequest(number: number) else { return }
        refuse(overdue.proposal, .noResources, identifier: overdue.identifier, slot: slot, into: &actions)
    }

    // MARK: Out

    /// How many PDUs may wait on a connection before a peer that asks without end, and takes no answers, gets none.
    private static let mostWaiting = 256

    /// Whether the queue of a connection takes another PDU of the application's. False also promises `readyToSend`
    /// for when it does.
    mutating func hasRoom(slot: Int) -> Bool {
        guard links[slot].l2cap.outgoing.count >= configuration.queueLimit else { return true }
        links[slot].l2cap.hasPendingReady = true
        return false
    }

    /// Sends a PDU at once where the controller has room and nothing waits before it; else it waits. Answers to the
    /// peer are taken whatever waits already.
    mutating func send(_ buffer: consuming [UInt8], on channel: ChannelID, slot: Int, into actions: inout HostActions) {
        var buffer = consume buffer
        OutgoingPDU.address(&buffer, to: channel)
        let isFirst = links[slot].l2cap.outgoing.isEmpty && !links[slot].l2cap.channels.isMidFrame
        if isFirst, buffer.count - OutgoingPDU.headerOffset <= l2cap.packetLength,
            l2cap.allowsPacket(inFlight: links[slot].l2cap.inFlight)
        {
            ACLHeader.write(handle: links[slot].id.handle, boundary: .firstNonFlushable, into: &buffer)
            l2cap.takeBuffer(for: &links[slot].l2cap)
            return actions.packets.append(buffer)
        }
        guard links[slot].l2cap.outgoing.count < Self.mostWaiting else { return }
        links[slot].l2cap.outgoing.append(buffer)
        if isFirst { while sendNext(slot, into: &actions) {} }
    }

    /// Sends the next packet of a connection; false if there is none, or no room for it.
    mutating func sendNext(_ slot: Int, into actions: inout HostActions) -> Bool {
        guard l2cap.allowsPacket(inFlight: links[slot].l2cap.inFlight),
            let packet = links[slot].l2cap.nextPacket(
                handle: links[slot].id.handle,
                maximumLength: l2cap.packetLength
            )
        else { return false }
        l2cap.takeBuffer(for: &links[slot].l2cap)
        actions.packets.append(packet)
        return true
    }

    /// Sends what waits, a packet of each connection in turn, until the controller is full or nothing waits.
    mutating func drain(at now: Instant, into actions: inout HostActions) {
        guard controller.phase == .up else { return }
        var idle = 0
        while l2cap.hasFreeBuffer, idle < links.slotCount {
            let slot = l2cap.nextTurn(of: links.slotCount)
            guard links.isOpen(slot), sendNext(slot, into: &actions) else {
                idle += 1
                continue
            }
            idle = 0
            if links[slot].l2cap.hasPendingReady, links[slot].l2cap.outgoing.count <= configuration.queueLimit / 2 {
                links[slot].l2cap.hasPendingReady = false
                actions.events.append(.readyToSend(links[slot].id))
            }
        }
        for slot in 0..<links.slotCount where links.isOpen(slot) {
            updateChannels(slot, at: now, into: &actions)
        }
    }

    /// The controller has sent packets, and has room for so many more. Core 6.0, Vol 4, Part E, 7.7.19.
    mutating func handleCompletedPackets(_ packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        let span = packet.span.bytes
        // Indicator, event code, length, and the number of links, for each of which four bytes follow.
        guard packet.count >= 4, Int(packet[2]) == packet.count - 3, packet.count == 4 + 4 * Int(packet[3]) else {
            return actions.events.append(.malformedPacket(.event(code: packet[1])))
        }
        guard controller.phase == .up else { return }
        var bytes = span.extracting(droppingFirst: 4)
        while let raw = try? bytes.takeUInt16(), let count = try? bytes.takeUInt16() {
            guard let handle = ConnectionHandle(rawValue: raw & 0x0FFF), let slot = links.slot(of: handle) else {
                continue
            }
            l2cap.complete(Int(count), of: &links[slot].l2cap)
        }
        drain(at: now, into: &actions)
    }
}
