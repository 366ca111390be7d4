import BluetoothValues
import ByteCoding
import VirtualTime

/// The Attribute Protocol of one host, without HCI: a GATT server, a GATT client, and a bearer for each connection.
///
/// A host drives it so:
///
/// - `open(_:)` when a connection has come, `close(_:into:)` when it has gone: procedures under way end with
///   `disconnected`, subscriptions are forgotten.
/// - `receive(_:on:at:into:)` with each whole PDU that L2CAP channel 0x0004 has received, and
///   `receiveTooLong(_:on:into:)` with the beginning of one that was longer than `maximumMTU`.
/// - `nextDeadline` and `expire(at:into:)` as with every machine.
/// - After each call, carry out the `ATTActions`: send the packets, hand on the events, disconnect what has timed out.
///
/// Notifications and write commands go past the actions: `Host` asks whether the connection's queue has room, has them
/// built here, and hands them to L2CAP.
struct ATTLayer {
    /// The longest PDU this host takes, 23 to 517 bytes.
    let maximumMTU: Int
    var server = GATTServer()
    var client = GATTClient()
    var bearers: [ATTBearer] = []

    init(maximumMTU: Int) {
        precondition((23...517).contains(maximumMTU), "an ATT MTU lies between 23 and 517 bytes")
        self.maximumMTU = maximumMTU
    }

    /// Where a connection's bearer stands; nil if the connection is gone.
    @inline(__always)
    func index(of connection: ConnectionID) -> Int? {
        for index in bearers.indices where bearers[index].connection == connection { return index }
        return nil
    }

    /// A connection has come.
    mutating func open(_ connection: ConnectionID) {
        bearers.append(ATTBearer(connection, maximumMTU: maximumMTU))
    }

    /// A connection has gone.
    mutating func close(_ connection: ConnectionID, into actions: inout ATTActions) {
        guard let index = index(of: connection) else { return }
        client.abandon(.disconnected, on: &bearers[index], into: &actions)
        bearers.remove(at: index)
    }

    /// The longest PDU of a connection, in bytes.
    func mtu(of connection: ConnectionID) -> Int? { index(of: connection).map { bearers[$0].mtu } }

    /// A whole PDU has come.
    mutating func receive(
        _ pdu: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard let index = index(of: connection), !bearers[index].isClosed, pdu.byteCount > 0 else { return }
        let opcode = ATTOpcode(rawValue: pdu.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        switch opcode {
        case .handleValueNotification, .handleValueIndication:
            client.receiveNotification(pdu, opcode, on: connection, mtu: bearers[index].mtu, into: &actions)
        case .multipleHandleValueNotification:
            client.receiveMultipleNotification(pdu, on: connection, mtu: bearers[index].mtu, into: &actions)
        case .handleValueConfirmation:
            server.receiveConfirmation(pdu, on: &bearers[index], at: now, into: &actions)
        default:
            if opcode.isResponse {
                let wasExchangingMTU = bearers[index].isExchangingMTU
                client.receiveResponse(pdu, opcode, on: &bearers[index], at: now, into: &actions)
                if wasExchangingMTU { resumeSending(index, at: now, into: &actions) }
            } else {
                server.receive(pdu, opcode, on: &bearers[index], at: now, into: &actions)
            }
        }
    }

    /// Sends what had to wait for an answer about the longest PDU, if it has come.
    private mutating func resumeSending(_ index: Int, at now: Instant, into actions: inout ATTActions) {
        guard !bearers[index].isExchangingMTU else { return }
        server.sendNextIndication(on: &bearers[index], at: now, into: &actions)
        guard bearers[index].owesReady else { return }
        bearers[index].owesReady = false
        actions.events.append(.readyToSend(bearers[index].connection))
    }

    /// A PDU has come that was longer than this host takes. `beginning` is its first bytes, one at least.
    mutating func receiveTooLong(_ beginning: RawSpan, on connection: ConnectionID, into actions: inout ATTActions) {
        guard let index = index(of: connection), !bearers[index].isClosed, beginning.byteCount > 0 else { return }
        let opcode = ATTOpcode(rawValue: beginning.unsafeLoad(fromByteOffset: 0, as: UInt8.self))
        guard opcode.isRequest else { return }
        server.receiveTooLong(opcode, on: &bearers[index], into: &actions)
    }

    /// When `expire` wants to be called next.
    var nextDeadline: Instant? {
        var earliest = Instant.distantFuture
        for index in bearers.indices { earliest = min(earliest, bearers[index].nextDeadline) }
        return earliest == .distantFuture ? nil : earliest
    }

    /// Closes bearers whose peer has left a request or an indication unanswered, or whose client has waited too long for
    /// the application. Core 6.0, Vol 3, Part F, 3.3.3.
    mutating func expire(at now: Instant, into actions: inout ATTActions) {
        for index in bearers.indices where bearers[index].nextDeadline <= now {
            client.abandon(.timedOut, on: &bearers[index], into: &actions)
            bearers[index].close()
            actions.events.append(.attTimedOut(bearers[index].connection))
            actions.timedOut.append(bearers[index].connection)
        }
    }
}
