import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

/// The Attribute Protocol of one host, without HCI: a GATT server and a GATT client for all of its links.
///
/// What belongs to one link stands in its `HostLink.att`, and a method is given the link that it is about:
///
/// - `handlePDU(_:on:at:into:)` with each whole PDU that L2CAP channel 0x0004 has received, and
///   `handleTooLongPDU(_:on:into:)` with the beginning of one that was longer than `maximumMTU`.
/// - `timeOut(_:into:)` when one of the link's ATT timers runs out.
/// - `close(_:into:)` when the connection has gone: procedures under way end with `disconnected`.
/// - After each call, carry out the `ATTActions` on that link: send the packets, pass on the events, disconnect what has
///   timed out.
///
/// Notifications and write commands go past the actions: `HostCore` asks whether the link's queue has room, has them
/// built here, and hands them to L2CAP.
struct ATTLayer {
    /// The longest PDU this host takes, 23 to 517 bytes.
    let maximumMTU: Int
    var server = GATTServer()
    var client = GATTClient()

    init(maximumMTU: Int) {
        precondition((23...517).contains(maximumMTU), "an ATT MTU lies between 23 and 517 bytes")
        self.maximumMTU = maximumMTU
    }

    /// A connection has gone.
    func close(_ link: inout HostLink, into actions: inout ATTActions) {
        client.abandon(.disconnected, on: &link, into: &actions)
    }

    /// A whole PDU has come.
    mutating func handlePDU(
        _ pdu: RawSpan,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard !link.att.isClosed, pdu.byteCount > 0 else { return }
        let opcode = ATTOpcode(rawValue: pdu.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        switch opcode {
        case .handleValueNotification, .handleValueIndication:
            client.receiveNotification(pdu, opcode, on: link.id, mtu: link.att.mtu, into: &actions)
        case .multipleHandleValueNotification:
            client.receiveMultipleNotification(pdu, on: link.id, mtu: link.att.mtu, into: &actions)
        case .handleValueConfirmation:
            server.receiveConfirmation(pdu, on: &link, at: now, into: &actions)
        default:
            if opcode.isResponse {
                let wasExchangingMTU = link.att.isExchangingMTU
                client.receiveResponse(pdu, opcode, on: &link, at: now, into: &actions)
                if wasExchangingMTU { resumeSending(&link, at: now, into: &actions) }
            } else {
                server.handlePDU(pdu, opcode, on: &link, at: now, into: &actions)
            }
        }
    }

    /// Sends what had to wait for an answer about the longest PDU, if it has come.
    private func resumeSending(_ link: inout HostLink, at now: Instant, into actions: inout ATTActions) {
        guard !link.att.isExchangingMTU else { return }
        server.sendNextIndication(on: &link, at: now, into: &actions)
        guard link.att.hasPendingReady else { return }
        link.att.hasPendingReady = false
        actions.events.append(.readyToSend(link.id))
    }

    /// A PDU has come that was longer than this host takes. `beginning` is its first bytes, one at least.
    func handleTooLongPDU(_ beginning: RawSpan, on link: inout HostLink, into actions: inout ATTActions) {
        guard !link.att.isClosed, beginning.byteCount > 0 else { return }
        let opcode = ATTOpcode(rawValue: beginning.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        guard opcode.isRequest else { return }
        server.handleTooLongPDU(opcode, on: &link, into: &actions)
    }

    /// The peer has left a request or an indication unanswered, or the application a request: the bearer is closed.
    /// Core 6.0, Vol 3, Part F, 3.3.3.
    func timeOut(_ link: inout HostLink, into actions: inout ATTActions) {
        client.abandon(.timedOut, on: &link, into: &actions)
        link.att.close()
        link.deadlines.disarm(where: \.isOfATT)
        actions.events.append(.attTimedOut(link.id))
        actions.hasTimedOut = true
    }

    /// Begins a procedure of the client on a link, or queues it there.
    mutating func begin(
        _ procedure: consuming ClientProcedure,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) throws(OrderError) -> ProcedureID {
        guard !link.att.isClosed else { throw .attTimedOut }
        guard let id = client.begin(procedure, on: &link, at: now, into: &actions) else { throw .tooManyProcedures }
        return id
    }
}
