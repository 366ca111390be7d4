internal import BluetoothValues
internal import ByteCoding
internal import HCI
internal import VirtualTime

/// What the ATT layer needs of the host: a way to the peer.
extension HostCore {
    /// Whether a connection's queue takes another PDU of the application's. False also promises `readyToSend` for when
    /// it does, unless the connection is gone.
    mutating func hasRoom(on connection: ConnectionID) -> Bool {
        guard phase == .up, let slot = connections.slot(of: connection) else { return false }
        return hasRoom(slot: slot)
    }

    /// Sends or queues an ATT PDU with its headroom.
    mutating func sendATT(
        _ packet: consuming [UInt8],
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard phase == .up, let slot = connections.slot(of: connection) else { return }
        send(packet, on: .attribute, slot: slot, into: &actions)
    }

    /// A PDU has come on the attribute channel.
    ///
    /// A bonded server that has not shown its key on this connection may be anybody with its address: what it sends by
    /// itself is dropped, and a value that was read counts as refused.
    mutating func receive(
        att pdu: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        if let index = security.index(of: connection), security[index].awaitsProof {
            var bytes = pdu
            guard let opcode = try? ATTOpcode(rawValue: bytes.takeUInt8()) else { return }
            if opcode.isSentByServerUnasked { return }
            if opcode.isResponseWithValues {
                let refusal: [UInt8] = [
                    ATTOpcode.errorResponse.rawValue, opcode.rawValue - 1, 0, 0,
                    ATTError.insufficientAuthentication.rawValue,
                ]
                return receive(believedATT: refusal.span.bytes, on: connection, at: now, into: &actions)
            }
        }
        receive(believedATT: pdu, on: connection, at: now, into: &actions)
    }

    private mutating func receive(
        believedATT pdu: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        // The layer writes its news right where they belong.
        swap(&attActions.events, &actions.events)
        if pdu.byteCount <= att.maximumMTU {
            att.receive(pdu, on: connection, at: now, into: &attActions)
        } else {
            att.receiveTooLong(pdu, on: connection, into: &attActions)
        }
        swap(&attActions.events, &actions.events)
        carryOutATT(at: now, into: &actions)
    }

    /// Carries out what the ATT layer wants done, and empties its lists.
    mutating func carryOutATT(at now: Instant, into actions: inout HostActions) {
        if !attActions.signedWrites.isEmpty {
            var writes: [SignedWrite] = []
            swap(&writes, &attActions.signedWrites)
            for write in writes { receive(signed: write, into: &actions, at: now) }
        }
        if !attActions.outgoing.isEmpty {
            for index in attActions.outgoing.indices {
                // Taken out, not copied: the headers are written into this very buffer.
                var packet: [UInt8] = []
                swap(&packet, &attActions.outgoing[index].packet)
                sendATT(packet, on: attActions.outgoing[index].connection, at: now, into: &actions)
            }
            attActions.outgoing.removeAll(keepingCapacity: true)
        }
        if !attActions.events.isEmpty {
            actions.events.append(contentsOf: attActions.events)
            attActions.events.removeAll(keepingCapacity: true)
        }
        if !attActions.changedClients.isEmpty {
            for connection in attActions.changedClients { keepClient(connection, at: now, into: &actions) }
            attActions.changedClients.removeAll(keepingCapacity: true)
        }
        if !attActions.timedOut.isEmpty {
            for connection in attActions.timedOut { endAfterTimeout(connection) }
            attActions.timedOut.removeAll(keepingCapacity: true)
        }
    }

    /// A peer that leaves a transaction unanswered can be talked to on a new connection only. Core 6.0, Vol 3, Part F,
    /// 3.3.3.
    private mutating func endAfterTimeout(_ connection: ConnectionID) {
        guard phase == .up, let slot = connections.slot(of: connection), !connections[slot].isDisconnecting else {
            return
        }
        connections[slot].isDisconnecting = true
        let command = Disconnect(connection: connection.handle)
        pipeline.submit(Command.disconnect(command).packet(), for: .connection(connection, .order(.disconnect)))
    }
}

extension ATTLayer {
    /// The earliest deadline of any bearer; the distant future if there is none. Mutating only so that the layer is
    /// looked at where it lies: it is asked for after every packet, and a copy would cost more than the packet.
    func earliestDeadline() -> Instant {
        var earliest = Instant.distantFuture
        for index in bearers.indices {
            earliest = min(earliest, bearers[index].server.indicationDeadline, bearers[index].client.deadline)
        }
        return earliest
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

    /// Responses in which a server says what attributes it has, or what is in them.
    fileprivate var isResponseWithValues: Bool {
        switch self {
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .readMultipleVariableResponse:
            true
        default: false
        }
    }
}
