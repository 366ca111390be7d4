internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// What the ATT layer needs of the host: a way to the peer.
extension HostCore {
    /// A PDU has come on the attribute channel.
    ///
    /// A bonded server that has not shown its key on this connection may be any device with its address: what it sends
    /// by itself is dropped, and what it answers counts as a refusal.
    mutating func handleAttributePDU(_ pdu: RawSpan, _ slot: Int, at now: Instant, into actions: inout HostActions) {
        if links[slot].security.awaitsProof {
            var bytes = pdu
            guard let opcode = try? ATTOpcode(rawValue: bytes.takeUInt8()) else { return }
            if opcode.isSentByServerUnasked { return }
            if opcode.isAnswerOfAttributes {
                let refusal: [UInt8] = [
                    ATTOpcode.errorResponse.rawValue, opcode.rawValue - 1, 0, 0,
                    ATTError.insufficientAuthentication.rawValue,
                ]
                return handleAcceptedAttributePDU(refusal.span.bytes, slot, at: now, into: &actions)
            }
        }
        handleAcceptedAttributePDU(pdu, slot, at: now, into: &actions)
    }

    private mutating func handleAcceptedAttributePDU(
        _ pdu: RawSpan,
        _ slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        // The layer writes its events right where they belong.
        swap(&attActions.events, &actions.events)
        if pdu.byteCount <= att.maximumMTU {
            att.handlePDU(pdu, on: &links[slot], at: now, into: &attActions)
        } else {
            att.handleTooLongPDU(pdu, on: &links[slot], into: &attActions)
        }
        swap(&attActions.events, &actions.events)
        carryOutATT(slot, at: now, into: &actions)
    }

    /// One of a link's ATT timers has run out.
    mutating func attTimedOut(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        att.timeOut(&links[slot], into: &attActions)
        carryOutATT(slot, at: now, into: &actions)
    }

    /// Carries out what the ATT layer asks for on a link, and empties its lists.
    mutating func carryOutATT(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        if !attActions.signedWrites.isEmpty {
            var writes: [[UInt8]] = []
            swap(&writes, &attActions.signedWrites)
            for write in writes { handleSignedWrite(write, slot, at: now, into: &actions) }
        }
        if !attActions.outgoing.isEmpty {
            for index in attActions.outgoing.indices {
                // Taken out, not copied: the headers are written into this very buffer.
                var packet: [UInt8] = []
                swap(&packet, &attActions.outgoing[index])
                send(packet, on: .attribute, slot: slot, into: &actions)
            }
            // One or two: that costs less than to clear the list as a whole.
            while !attActions.outgoing.isEmpty { attActions.outgoing.removeLast() }
        }
        if !attActions.events.isEmpty {
            actions.events.append(contentsOf: attActions.events)
            attActions.events.removeAll(keepingCapacity: true)
        }
        if attActions.isClientChanged {
            attActions.isClientChanged = false
            keepClient(slot, at: now, into: &actions)
        }
        if attActions.hasTimedOut {
            attActions.hasTimedOut = false
            endAfterTimeout(slot)
        }
    }

    /// A peer that leaves a transaction unanswered can be talked to on a new connection only. Core 6.0, Vol 3, Part F,
    /// 3.3.3.
    private mutating func endAfterTimeout(_ slot: Int) {
        guard !links[slot].control.isDisconnecting else { return }
        links[slot].control.isDisconnecting = true
        let id = links[slot].id
        let command = Disconnect(connection: id.handle)
        pipeline.submit(Command.disconnect(command).packet(), for: .connection(id, .order(.disconnect)))
    }
}

extension ATTOpcode {
    /// Notifications and indications.
    fileprivate var isSentByServerUnasked: Bool {
        switch self {
        case .handleValueNotification, .handleValueIndication, .multipleHandleValueNotification: true
        default: false
        }
    }

    /// Responses in which a server says what attributes it has, what is in them, or that it has taken a value.
    fileprivate var isAnswerOfAttributes: Bool {
        switch self {
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .readMultipleVariableResponse, .writeResponse,
            .prepareWriteResponse, .executeWriteResponse:
            true
        default: false
        }
    }
}
