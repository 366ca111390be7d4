public import BluetoothValues
public import VirtualTime

/// The orders of a GATT server. Services may be defined before the host is switched on, and changed at any time.
extension Host {
    // MARK: The database

    /// What the server offers.
    public var database: GATTDatabase { att.server.database }

    /// Adds services: all of them, or none if anything is wrong with a definition. Connected clients are told if
    /// they asked to be.
    @discardableResult
    public func addServices(
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

    /// Removes the service declared at a handle. Connected clients are told if they asked to be, and what they had
    /// subscribed to in it is forgotten.
    public func removeService(
        at handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(DatabaseError) {
        att.databaseChanged(try att.removeService(at: handle), at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
    }

    /// The stored value of an attribute; nil if there is none with this handle.
    public func value(of handle: AttributeHandle) -> [UInt8]? { att.server.database.value(of: handle) }

    /// Stores a value of at most 512 bytes for clients to read. Nobody is told of it.
    public func setValue(_ value: [UInt8], of handle: AttributeHandle) throws(DatabaseError) {
        try att.server.database.setValue(value, of: handle)
    }

    // MARK: Clients

    /// Answers a `readRequested` with a value or a refusal, or a `writeRequested` with `written` or a refusal, within
    /// 30 s; a client does not wait longer, and the connection ends then. An answer that nobody waits for any more is
    /// dropped, as are answers to write commands.
    public func respond(
        to request: RequestID,
        with answer: RequestAnswer,
        at now: Instant,
        into actions: inout HostActions
    ) {
        att.respond(to: request, with: answer, at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
    }

    /// Sends a value to one client, or to all, of those who have subscribed to notifications of the characteristic
    /// with this value handle. What does not fit into a PDU, 3 bytes less than its MTU, is cut off.
    ///
    /// - Returns: false if a client was left out since its queue is full, or since it is just being asked for the longest
    ///   PDU; `readyToSend` then tells when that is over.
    @discardableResult
    public func notify(
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

    /// Sends several values to one client at once, in as few PDUs as it understands; those it has not subscribed to
    /// are left out.
    ///
    /// - Returns: false if some were left out since the client's queue is full; `readyToSend` then tells when it is not.
    @discardableResult
    public func notifyMultiple(
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
    private func mayNotify(_ index: Int) -> Bool {
        // In place: a bearer is much to copy for a notification.
        guard !att.bearers.withUnsafeBufferPointer({ $0[index].isExchangingMTU }) else {
            att.bearers[index].owesReady = true
            return false
        }
        return hasRoom(on: att.bearers[index].connection)
    }

    /// Sends a value to one client, or to all, of those who have subscribed to indications of the characteristic with
    /// this value handle. Each confirms with `indicationConfirmed`; until then further ones wait for it.
    ///
    /// - Returns: false if a client was left out since 64 indications wait for it already.
    @discardableResult
    public func indicate(
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

    /// What a client has subscribed to of the characteristic with this value handle.
    public func subscription(of connection: ConnectionID, to handle: AttributeHandle) -> Subscription {
        att.subscription(of: connection, to: handle)
    }

    /// The longest ATT PDU of a connection, in bytes; nil once it is gone.
    public func mtu(of connection: ConnectionID) -> Int? { att.mtu(of: connection) }

    // MARK: Bonds

    /// What a client has set that outlives the connection if there is a bond; nil once the connection is gone.
    public func clientRecord(of connection: ConnectionID) -> ClientRecord? { att.clientRecord(of: connection) }

    /// Gives a client back what it had set on an earlier connection. Nobody is told of it.
    public func restore(
        _ record: ClientRecord,
        of connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        att.restore(record, of: connection, at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
    }
}
