internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// The orders of a GATT server. Services may be defined before the host is switched on, and changed at any time.
extension HostCore {
    // MARK: The database

    mutating func adopt(_ database: GATTDatabase) {
        guard att.server.database.attributes.isEmpty, links.count == 0 else { return }
        att.server.database = database
    }

    @discardableResult
    mutating func addServices(
        _ services: [ServiceDefinition],
        at now: Instant,
        into actions: inout HostActions
    ) throws(DatabaseError) -> [ServiceHandles] {
        let added = try att.server.database.add(services)
        guard let first = added.map(\.range.lowerBound).min(), let last = added.map(\.range.upperBound).max() else {
            return added
        }
        databaseChanged(first...last, at: now, into: &actions)
        return added
    }

    mutating func removeService(
        at handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(DatabaseError) {
        let before = att.server.database.freeSlots.count
        let range = try att.server.database.removeService(at: handle)
        for slot in 0..<links.slotCount where links.isOpen(slot) {
            for gone in att.server.database.freeSlots[before...] {
                links[slot].att.server.forgetConfiguration(slot: gone)
            }
            // Another attribute may get the handle.
            let isSent = links[slot].deadlines.isArmed(.confirmation)
            links[slot].att.server.dropIndications(in: range, sparingFirst: isSent)
        }
        forgetSubscriptions(in: range, at: now, into: &actions)
        databaseChanged(range, at: now, into: &actions)
    }

    /// The database has changed between these handles.
    private mutating func databaseChanged(
        _ range: ClosedRange<AttributeHandle>,
        at now: Instant,
        into actions: inout HostActions
    ) {
        for slot in 0..<links.slotCount where links.isOpen(slot) {
            att.server.databaseChanged(range, on: &links[slot], at: now, into: &attActions)
            carryOutATT(slot, at: now, into: &actions)
        }
    }

    func value(of handle: AttributeHandle) -> [UInt8]? { att.server.database.value(of: handle) }

    mutating func setValue(_ value: [UInt8], of handle: AttributeHandle) throws(DatabaseError) {
        try att.server.database.setValue(value, of: handle)
    }

    // MARK: Clients

    mutating func respond(
        to request: RequestID,
        with answer: RequestAnswer,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        guard let slot = links.slot(of: request.connection) else { return }
        try att.respond(to: request, with: answer, on: &links[slot], at: now, into: &attActions)
        carryOutATT(slot, at: now, into: &actions)
    }

    @discardableResult
    mutating func notify(
        _ value: [UInt8],
        handle: AttributeHandle,
        to connection: ConnectionID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        if let connection {
            guard let slot = links.slot(of: connection) else { return true }
            return notify(value, handle, slot, into: &actions)
        }
        var wasSent = true
        for slot in 0..<links.slotCount where links.isOpen(slot) {
            if !notify(value, handle, slot, into: &actions) { wasSent = false }
        }
        return wasSent
    }

    @inline(__always)
    private mutating func notify(
        _ value: [UInt8],
        _ handle: AttributeHandle,
        _ slot: Int,
        into actions: inout HostActions
    ) -> Bool {
        guard att.server.wants(.notifications, of: handle, links[slot]) else { return true }
        guard mayNotify(slot) else { return false }
        let packet = att.server.notification(value, of: handle, mtu: links[slot].att.mtu)
        send(packet, on: .attribute, slot: slot, into: &actions)
        return true
    }

    @discardableResult
    mutating func notifyMultiple(
        _ values: [HandleValue],
        to connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        guard let slot = links.slot(of: connection) else { return true }
        for packet in att.server.notifications(values, to: links[slot]) {
            guard mayNotify(slot) else { return false }
            send(packet, on: .attribute, slot: slot, into: &actions)
        }
        return true
    }

    /// Whether a client can be sent a notification now; if not, `readyToSend` follows when it can.
    private mutating func mayNotify(_ slot: Int) -> Bool {
        guard !links[slot].att.isExchangingMTU else {
            links[slot].att.hasPendingReady = true
            return false
        }
        return hasRoom(slot: slot)
    }

    @discardableResult
    mutating func indicate(
        _ value: [UInt8],
        handle: AttributeHandle,
        to connection: ConnectionID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        if let connection {
            guard let slot = links.slot(of: connection) else { return true }
            return indicate(value, handle, slot, at: now, into: &actions)
        }
        var wasSent = true
        for slot in 0..<links.slotCount where links.isOpen(slot) {
            if !indicate(value, handle, slot, at: now, into: &actions) { wasSent = false }
        }
        return wasSent
    }

    private mutating func indicate(
        _ value: [UInt8],
        _ handle: AttributeHandle,
        _ slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        let wasSent = att.indicate(value, of: handle, to: &links[slot], at: now, into: &attActions)
        carryOutATT(slot, at: now, into: &actions)
        return wasSent
    }

    func subscription(of connection: ConnectionID, to handle: AttributeHandle) -> Subscription {
        guard let slot = links.slot(of: connection) else { return [] }
        return att.subscription(of: links[slot], to: handle)
    }

    func mtu(of connection: ConnectionID) -> Int? {
        guard let slot = links.slot(of: connection) else { return nil }
        return links[slot].att.mtu
    }

    // MARK: Bonds

    func clientRecord(of connection: ConnectionID) -> ClientRecord? {
        guard let slot = links.slot(of: connection) else { return nil }
        return att.clientRecord(of: links[slot])
    }

    mutating func restore(
        _ record: ClientRecord,
        of connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let slot = links.slot(of: connection) else { return }
        att.restore(record, of: &links[slot], at: now, into: &attActions)
        carryOutATT(slot, at: now, into: &actions)
    }
}
