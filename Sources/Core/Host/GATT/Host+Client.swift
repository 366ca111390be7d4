public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// The orders of a GATT client. Each that answers a `ProcedureID` ends with one `procedureCompleted`; those on one
/// connection are carried out in the order in which they were given.
extension Host {
    /// Agrees with the server on the longest PDU, up to what this host takes. Ends with `mtu`; the server is asked only
    /// if neither end has asked the other before.
    public func exchangeMTU(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.exchangeMTU(connection, at: now, into: &actions)
        }
    }

    // MARK: Discovery

    /// Finds all there is: services, includes, characteristics, descriptors. Ends with `database`.
    public func discoverAll(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.discoverAll(connection, at: now, into: &actions)
        }
    }

    /// Finds primary services, all or those with one UUID. Ends with `services`.
    public func discoverServices(
        _ connection: ConnectionID,
        uuid: BluetoothUUID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.discoverServices(connection, uuid: uuid, at: now, into: &actions)
        }
    }

    /// Finds what the service with these handles includes. Ends with `includes`.
    public func discoverIncludes(
        _ connection: ConnectionID,
        in service: ClosedRange<AttributeHandle>,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.discoverIncludes(connection, in: service, at: now, into: &actions)
        }
    }

    /// Finds characteristics of the service with these handles, all or those with one UUID. Ends with
    /// `characteristics`, without descriptors.
    public func discoverCharacteristics(
        _ connection: ConnectionID,
        in service: ClosedRange<AttributeHandle>,
        uuid: BluetoothUUID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.discoverCharacteristics(connection, in: service, uuid: uuid, at: now, into: &actions)
        }
    }

    /// Finds the descriptors of a characteristic; one without room for any needs no request. Ends with `descriptors`.
    public func discoverDescriptors(
        _ connection: ConnectionID,
        of characteristic: RemoteCharacteristic,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.discoverDescriptors(connection, of: characteristic, at: now, into: &actions)
        }
    }

    // MARK: Reading

    /// Reads a whole value of up to 512 bytes. Ends with `value`.
    public func read(
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.read(connection, handle, at: now, into: &actions)
        }
    }

    /// Reads the values of all characteristics or descriptors with a UUID. Ends with `values`; each is cut to 4 bytes
    /// less than the MTU, and to 253.
    public func readByUUID(
        _ connection: ConnectionID,
        _ uuid: BluetoothUUID,
        in range: ClosedRange<AttributeHandle> = .first ... .last,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.readByUUID(connection, uuid, in: range, at: now, into: &actions)
        }
    }

    /// Reads several values with one request. With lengths it ends with `values`, where the server knows how;
    /// without with one `value`, all run together. Either is cut to 1 byte less than the MTU. There have to be two
    /// handles at least, and no more than fit into the request.
    public func readMultiple(
        _ connection: ConnectionID,
        _ handles: [AttributeHandle],
        withLengths: Bool,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.readMultiple(connection, handles, withLengths: withLengths, at: now, into: &actions)
        }
    }

    // MARK: Writing

    /// Writes a value of up to 512 bytes, in parts if it is longer than a request holds. Ends with `written`.
    public func write(
        _ value: [UInt8],
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.write(value, connection, handle, at: now, into: &actions)
        }
    }

    /// Writes values, or parts of them, all together or not at all, after the server has repeated each faithfully.
    /// Ends with `written`.
    public func reliableWrite(
        _ writes: [AttributeWrite],
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.reliableWrite(writes, connection, at: now, into: &actions)
        }
    }

    /// Writes a value; the result is not reported. It has to fit into a PDU, in 3 bytes less than the MTU.
    ///
    /// - Returns: false if nothing was sent since the queue is full; `readyToSend` then reports when it is not.
    public func writeCommand(
        _ value: [UInt8],
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> Bool {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.writeCommand(value, connection, handle, at: now, into: &actions)
        }
    }

    /// Asks the server to send a characteristic's value by itself, or, with nothing, to stop it. Ends with `written`.
    /// The characteristic's descriptors have to have been discovered.
    public func subscribe(
        _ connection: ConnectionID,
        to characteristic: RemoteCharacteristic,
        _ wanted: Subscription,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.subscribe(connection, to: characteristic, wanted, at: now, into: &actions)
        }
    }

    /// Asks the server to stop sending a characteristic's value. Ends with `written`.
    public func unsubscribe(
        _ connection: ConnectionID,
        from characteristic: RemoteCharacteristic,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.unsubscribe(connection, from: characteristic, at: now, into: &actions)
        }
    }
}
