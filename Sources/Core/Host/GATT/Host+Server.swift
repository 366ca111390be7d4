public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// The orders of a GATT server. Services may be defined before the host is switched on, and changed at any time.
extension Host {
    // MARK: The database

    /// What the server offers.
    public var database: GATTDatabase { core.att.server.database }

    /// Takes a database as it is, where the host has no attributes and no connections yet. Hosts that take the same one share
    /// its attributes, until one of them changes its own.
    package func adopt(_ database: GATTDatabase) { change { $0.adopt(database) } }

    /// Adds services: all of them, or none if anything is wrong with a definition. Connected clients receive an
    /// indication if they asked for it.
    @discardableResult
    public func addServices(
        _ services: [ServiceDefinition],
        at now: Instant,
        into actions: inout HostActions
    ) throws(DatabaseError) -> [ServiceHandles] {
        try enter(at: now, into: &actions) { core, actions throws(DatabaseError) in
            try core.addServices(services, at: now, into: &actions)
        }
    }

    /// Removes the service declared at a handle. Connected clients receive an indication if they asked for it, and what
    /// they had subscribed to in it is forgotten.
    public func removeService(
        at handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(DatabaseError) {
        try enter(at: now, into: &actions) { core, actions throws(DatabaseError) in
            try core.removeService(at: handle, at: now, into: &actions)
        }
    }

    /// The stored value of an attribute; nil if there is none with this handle.
    public func value(of handle: AttributeHandle) -> [UInt8]? { core.value(of: handle) }

    /// Stores a value of at most 512 bytes for clients to read. It is not notified.
    public func setValue(_ value: [UInt8], of handle: AttributeHandle) throws(DatabaseError) {
        try change { core throws(DatabaseError) in try core.setValue(value, of: handle) }
    }

    // MARK: Clients

    /// Answers a `readRequested` with a value or a refusal, or a `writeRequested` with `written` or a refusal, within
    /// 30 s; a client does not wait longer, and the connection ends then. An answer that comes too late is dropped, as
    /// are answers to write commands.
    ///
    /// - Throws: `wrongAnswer` for `written` to a read or a value to a write. The request still waits then.
    public func respond(
        to request: RequestID,
        with answer: RequestAnswer,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.respond(to: request, with: answer, at: now, into: &actions)
        }
    }

    /// Refuses a `readRequested` or a `writeRequested`, as `respond` does with `refused`: a refusal fits either, so
    /// that nothing is thrown. `culprit` names one of several prepared writes; nil is the first of them.
    public func refuse(
        _ request: RequestID,
        _ error: ATTError,
        _ culprit: AttributeHandle? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) {
        enter(at: now, into: &actions) { core, actions in
            try? core.respond(to: request, with: .refused(error, culprit), at: now, into: &actions)
        }
    }

    /// Sends a value to one client, or to all, of those who have subscribed to notifications of the characteristic
    /// with this value handle. What does not fit into a PDU, 3 bytes less than its MTU, is cut off.
    ///
    /// - Returns: false if a client was left out since its queue is full, or since it is just being asked for the longest
    ///   PDU; `readyToSend` then reports when that is over.
    @discardableResult
    public func notify(
        _ value: [UInt8],
        handle: AttributeHandle,
        to connection: ConnectionID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        enter(at: now, into: &actions) { core, actions in
            core.notify(value, handle: handle, to: connection, at: now, into: &actions)
        }
    }

    /// Sends several values to one client at once, in as few PDUs as it understands; those it has not subscribed to
    /// are left out.
    ///
    /// - Returns: false if some were left out since the client's queue is full; `readyToSend` reports when it is not.
    @discardableResult
    public func notifyMultiple(
        _ values: [HandleValue],
        to connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        enter(at: now, into: &actions) { core, actions in
            core.notifyMultiple(values, to: connection, at: now, into: &actions)
        }
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
        enter(at: now, into: &actions) { core, actions in
            core.indicate(value, handle: handle, to: connection, at: now, into: &actions)
        }
    }

    /// What a client has subscribed to of the characteristic with this value handle.
    public func subscription(of connection: ConnectionID, to handle: AttributeHandle) -> Subscription {
        core.subscription(of: connection, to: handle)
    }

    /// The longest ATT PDU of a connection, in bytes; nil once it is gone.
    public func mtu(of connection: ConnectionID) -> Int? { core.mtu(of: connection) }

    // MARK: Bonds

    /// What a client has set that outlives the connection if there is a bond; nil once the connection is gone.
    public func clientRecord(of connection: ConnectionID) -> ClientRecord? { core.clientRecord(of: connection) }

    /// Gives a client back what it had set on an earlier connection. No event follows.
    public func restore(
        _ record: ClientRecord,
        of connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        enter(at: now, into: &actions) { core, actions in
            core.restore(record, of: connection, at: now, into: &actions)
        }
    }
}
