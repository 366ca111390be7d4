internal import BluetoothValues
internal import VirtualTime

/// The orders of a GATT server. Services may be defined before the host is switched on, and changed at any time.
extension HostCore {
    // MARK: The database

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
        att.databaseChanged(first...last, at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
        return added
    }

    mutating func removeService(
        at handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(DatabaseError) {
        att.databaseChanged(try att.removeService(at: handle), at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
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
    ) {
        att.respond(to: request, with: answer, at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
    }

    @discardableResult
    mutating func notify(
        _ value: [UInt8],
        handle: AttributeHandle,
        to connection: ConnectionID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        var wasSent = true
        for index in att.bearers.indices {
            let peer = att.bearers[index].connection
            guard connection == nil || connection == peer else { continue }
            guard att.wants(.notifications, of: handle, at: index) else { continue }
            guard mayNotify(index) else {
                wasSent = false
                continue
            }
            let packet = att.server.notification(value, of: handle, mtu: att.bearers[index].mtu)
            sendATT(packet, on: peer, at: now, into: &actions)
        }
        return wasSent
    }

    @discardableResult
    mutating func notifyMultiple(
        _ values: [HandleValue],
        to connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        guard let index = att.index(of: connection) else { return true }
        for packet in att.server.notifications(values, to: att.bearers[index]) {
            guard mayNotify(index) else { return false }
            sendATT(packet, on: connection, at: now, into: &actions)
        }
        return true
    }

    /// Whether a client can be sent a notification now; if not, `readyToSend` follows when it can.
    private mutating func mayNotify(_ index: Int) -> Bool {
        // In place: a bearer is much to copy for a notification.
        guard !att.bearers.withUnsafeBufferPointer({ $0[index].isExchangingMTU }) else {
            att.bearers[index].owesReady = true
            return false
        }
        return hasRoom(on: att.bearers[index].connection)
    }

    @discardableResult
    mutating func indicate(
        _ value: [UInt8],
        handle: AttributeHandle,
        to connection: ConnectionID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        let wasSent = att.indicate(value, of: handle, to: connection, at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
        return wasSent
    }

    func subscription(of connection: ConnectionID, to handle: AttributeHandle) -> Subscription {
        att.subscription(of: connection, to: handle)
    }

    func mtu(of connection: ConnectionID) -> Int? { att.mtu(of: connection) }

    // MARK: Bonds

    func clientRecord(of connection: ConnectionID) -> ClientRecord? { att.clientRecord(of: connection) }

    mutating func restore(
        _ record: ClientRecord,
        of connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        att.restore(record, of: connection, at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
    }
}
