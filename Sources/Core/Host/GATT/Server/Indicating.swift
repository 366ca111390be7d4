import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

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
    @inline(__always)
    func wants(_ kind: Subscription, of handle: AttributeHandle, _ link: borrowing HostLink) -> Bool {
        guard let row = database.index(of: handle) else { return false }
        let slot = Int(database.attributes[row].configurationSlot)
        // What a link is not good enough for is not sent over it, whatever was subscribed to on a better one. Core 6.0,
        // Vol 3, Part C, 10.3.1.1.
        guard slot >= 0, database.attributes[row].sending.isOpen || isGoodEnough(link, toSend: row),
            !link.att.isClosed
        else { return false }
        return link.att.server.takesValues && link.att.server.hasSubscribed(to: kind, slot: slot)
    }

    private func isGoodEnough(_ link: borrowing HostLink, toSend row: Int) -> Bool {
        database.attributes[row].sending.error(on: link.security.level, refusal: .readNotPermitted) == nil
    }

    /// Several notifications in as few PDUs as the client understands. Values that do not fit into one with others
    /// go alone. Core 6.0, Vol 3, Part G, 4.10.2.
    func notifications(_ values: [HandleValue], to link: borrowing HostLink) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var group: [HandleValue] = []
        var groupCount = 1
        for entry in values {
            guard let handle = AttributeHandle(rawValue: entry.handle),
                wants(.notifications, of: handle, link)
            else { continue }
            let count = 4 + entry.value.count
            if !link.att.server.takesMultipleNotifications || 1 + count > link.att.mtu {
                packets.append(notification(entry.value, of: handle, mtu: link.att.mtu))
                continue
            }
            if groupCount + count > link.att.mtu {
                close(&group, into: &packets, to: link)
                groupCount = 1
            }
            group.append(entry)
            groupCount += count
        }
        close(&group, into: &packets, to: link)
        return packets
    }

    private func close(_ group: inout [HandleValue], into packets: inout [[UInt8]], to link: borrowing HostLink) {
        if group.count == 1, let handle = AttributeHandle(rawValue: group[0].handle) {
            packets.append(notification(group[0].value, of: handle, mtu: link.att.mtu))
        } else if group.count > 1 {
            var packet = Self.packet(.multipleHandleValueNotification, capacity: link.att.mtu)
            MultipleHandleValueNotification(entries: group).write(to: &packet)
            packets.append(packet)
        }
        group.removeAll()
    }

    /// Sends an indication, or queues it behind the one that has not been confirmed. False if the queue is full.
    func indicate(
        _ value: [UInt8],
        of handle: AttributeHandle,
        to link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) -> Bool {
        guard link.att.server.indications.count < ServerSession.indicationLimit else { return false }
        link.att.server.indications.append(ServerSession.Indication(handle: handle, value: value))
        sendNextIndication(on: &link, at: now, into: &actions)
        return true
    }

    /// The client has confirmed. Nothing happens if it had nothing to confirm.
    func receiveConfirmation(
        _ pdu: RawSpan,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard pdu.byteCount == 1, link.deadlines.isArmed(.confirmation) else {
            return actions.events.append(.client(.unexpectedPDU(link.id, .handleValueConfirmation)))
        }
        link.deadlines.disarm(.confirmation)
        let confirmed = link.att.server.indications.removeFirst().handle
        if isServiceChanged(confirmed) {
            confirmServiceChanged(on: &link.att.server)
            actions.isClientChanged = true
        }
        actions.events.append(.server(.indicationConfirmed(link.id, confirmed)))
        sendNextIndication(on: &link, at: now, into: &actions)
    }

    /// Sends what waits first, if it may. What the link is no longer good enough for is dropped.
    func sendNextIndication(on link: inout HostLink, at now: Instant, into actions: inout ATTActions) {
        while !link.deadlines.isArmed(.confirmation), let next = link.att.server.indications.first,
            let index = database.index(of: next.handle),
            database.attributes[index].sending.error(on: link.security.level, refusal: .readNotPermitted) != nil
        {
            link.att.server.indications.removeFirst()
        }
        guard !link.deadlines.isArmed(.confirmation), !link.att.isExchangingMTU,
            let next = link.att.server.indications.first,
            link.att.server.takesValues || isServiceChanged(next.handle)
        else {
            return
        }
        let count = min(next.value.count, link.att.mtu - 3)
        var packet = Self.packet(.handleValueIndication, capacity: 2 + count)
        packet.appendUInt16(next.handle.rawValue)
        packet.append(contentsOf: next.value[..<count])
        link.deadlines.arm(.confirmation, at: now + ATTBearer.transactionTimeout)
        actions.send(packet)
    }

    /// The only value that a client is sent which does not know of a change of the database. Vol 3, Part G, 2.5.2.1.
    func isServiceChanged(_ handle: AttributeHandle) -> Bool {
        database.index(of: handle).map { database.attributes[$0].role == .serviceChanged } ?? false
    }
}
