import BluetoothValues
import ByteCoding
import VirtualTime

/// What the server sends by itself. Core 6.0, Vol 3, Part F, 3.4.7.
extension GATTServer {
    /// A notification, cut to what fits.
    @inline(__always)
    func notification(_ value: [UInt8], of handle: AttributeHandle, mtu: Int) -> [UInt8] {
        let count = min(value.count, mtu - 3)
        var packet = Self.packet(.handleValueNotification, capacity: 2 + count)
        packet.appendUInt16(handle.rawValue)
        packet.append(contentsOf: value[..<count])
        return packet
    }

    /// Whether a client has subscribed to a characteristic, and may be sent values at the moment.
    func wants(_ kind: Subscription, of handle: AttributeHandle, _ bearer: borrowing ATTBearer) -> Bool {
        guard let index = database.index(of: handle), !bearer.isClosed, bearer.server.takesValues,
            database.attributes[index].sending.error(on: bearer.security, refusal: .readNotPermitted) == nil
        else { return false }
        return bearer.server.subscription(slot: database.attributes[index].configurationSlot).contains(kind)
    }

    /// Several notifications in as few PDUs as the client understands. Values that do not fit into one with others
    /// go alone. Core 6.0, Vol 3, Part G, 4.10.2.
    func notifications(_ values: [HandleValue], to bearer: borrowing ATTBearer) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var group: [HandleValue] = []
        var groupCount = 1
        for entry in values {
            guard let handle = AttributeHandle(rawValue: entry.handle),
                wants(.notifications, of: handle, bearer)
            else { continue }
            let count = 4 + entry.value.count
            if !bearer.server.takesMultipleNotifications || 1 + count > bearer.mtu {
                packets.append(notification(entry.value, of: handle, mtu: bearer.mtu))
                continue
            }
            if groupCount + count > bearer.mtu {
                close(&group, into: &packets, to: bearer)
                groupCount = 1
            }
            group.append(entry)
            groupCount += count
        }
        close(&group, into: &packets, to: bearer)
        return packets
    }

    private func close(_ group: inout [HandleValue], into packets: inout [[UInt8]], to bearer: borrowing ATTBearer) {
        if group.count == 1, let handle = AttributeHandle(rawValue: group[0].handle) {
            packets.append(notification(group[0].value, of: handle, mtu: bearer.mtu))
        } else if group.count > 1 {
            var packet = Self.packet(.multipleHandleValueNotification, capacity: bearer.mtu)
            MultipleHandleValueNotification(entries: group).write(to: &packet)
            packets.append(packet)
        }
        group.removeAll()
    }

    /// Sends an indication, or queues it behind the one that has not been confirmed. False if the queue is full.
    func indicate(
        _ value: [UInt8],
        of handle: AttributeHandle,
        to bearer: inout ATTBearer,
        at now: Instant,
        into actions: inout ATTActions
    ) -> Bool {
        guard bearer.server.indications.count < ServerSession.indicationLimit else { return false }
        bearer.server.indications.append(ServerSession.Indication(handle: handle, value: value))
        sendNextIndication(on: &bearer, at: now, into: &actions)
        return true
    }

    /// The client has confirmed. Nothing happens if it had nothing to confirm.
    func receiveConfirmation(
        _ pdu: RawSpan,
        on bearer: inout ATTBearer,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard pdu.byteCount == 1, bearer.server.indicationDeadline != .distantFuture else {
            return actions.events.append(.client(.unexpectedPDU(bearer.connection, .handleValueConfirmation)))
        }
        bearer.server.indicationDeadline = .distantFuture
        let confirmed = bearer.server.indications.removeFirst().handle
        if let index = database.index(of: confirmed), database.attributes[index].role == .serviceChanged {
            confirmServiceChanged(on: &bearer.server)
            actions.changedClients.append(bearer.connection)
        }
        actions.events.append(.server(.indicationConfirmed(bearer.connection, confirmed)))
        sendNextIndication(on: &bearer, at: now, into: &actions)
    }

    /// Sends what waits first, if it may. What the link is no longer good enough for is dropped.
    func sendNextIndication(on bearer: inout ATTBearer, at now: Instant, into actions: inout ATTActions) {
        while bearer.server.indicationDeadline == .distantFuture, let next = bearer.server.indications.first,
            let index = database.index(of: next.handle),
            database.attributes[index].sending.error(on: bearer.security, refusal: .readNotPermitted) != nil
        {
            bearer.server.indications.removeFirst()
        }
        guard bearer.server.indicationDeadline == .distantFuture, !bearer.isExchangingMTU,
            let next = bearer.server.indications.first
        else {
            return
        }
        let count = min(next.value.count, bearer.mtu - 3)
        var packet = Self.packet(.handleValueIndication, capacity: 2 + count)
        packet.appendUInt16(next.handle.rawValue)
        packet.append(contentsOf: next.value[..<count])
        bearer.server.indicationDeadline = now + ATTBearer.transactionTimeout
        actions.send(packet, on: bearer.connection)
    }
}
