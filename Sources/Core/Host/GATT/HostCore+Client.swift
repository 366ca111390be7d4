internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// The orders of a GATT client. Each that answers a `ProcedureID` ends with one `procedureCompleted`; those on one
/// connection are carried out in the order in which they were given.
extension HostCore {
    mutating func exchangeMTU(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        let exchange = MTUExchange(maximumMTU: att.maximumMTU, isDone: false)
        return try begin(.exchangeMTU(exchange), connection, at: now, into: &actions)
    }

    // MARK: Discovery

    mutating func discoverAll(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try begin(.everything(FullDiscovery()), connection, at: now, into: &actions)
    }

    mutating func discoverServices(
        _ connection: ConnectionID,
        uuid: BluetoothUUID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try begin(.services(ServiceDiscovery(uuid: uuid)), connection, at: now, into: &actions)
    }

    mutating func discoverIncludes(
        _ connection: ConnectionID,
        in service: ClosedRange<AttributeHandle>,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try begin(.includes(IncludeDiscovery(service)), connection, at: now, into: &actions)
    }

    mutating func discoverCharacteristics(
        _ connection: ConnectionID,
        in service: ClosedRange<AttributeHandle>,
        uuid: BluetoothUUID? = nil,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try begin(.characteristics(CharacteristicDiscovery(service, uuid: uuid)), connection, at: now, into: &actions)
    }

    mutating func discoverDescriptors(
        _ connection: ConnectionID,
        of characteristic: RemoteCharacteristic,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        let discovery = DescriptorDiscovery(characteristic.descriptorHandles.map { [$0] } ?? [])
        return try begin(.descriptors(discovery), connection, at: now, into: &actions)
    }

    // MARK: Reading

    mutating func read(
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try begin(.read(ValueReading(handle)), connection, at: now, into: &actions)
    }

    mutating func readByUUID(
        _ connection: ConnectionID,
        _ uuid: BluetoothUUID,
        in range: ClosedRange<AttributeHandle> = .first ... .last,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try begin(.readByUUID(ReadingByUUID(uuid, in: range)), connection, at: now, into: &actions)
    }

    mutating func readMultiple(
        _ connection: ConnectionID,
        _ handles: [AttributeHandle],
        withLengths: Bool,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        guard handles.count >= 2, 1 + 2 * handles.count <= mtu(of: connection) ?? .max else {
            throw .wrongNumberOfHandles
        }
        let reading = ReadingMultiple(handles, withLengths: withLengths)
        return try begin(.readMultiple(reading), connection, at: now, into: &actions)
    }

    // MARK: Writing

    mutating func write(
        _ value: [UInt8],
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        guard value.count <= 512 else { throw .valueTooLong }
        return try begin(.write(ValueWriting(handle, value)), connection, at: now, into: &actions)
    }

    mutating func reliableWrite(
        _ writes: [AttributeWrite],
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        // An offset near the largest number would overflow the sum.
        guard writes.allSatisfy({ (0...512).contains($0.offset) && $0.offset + $0.value.count <= 512 }) else {
            throw .valueTooLong
        }
        return try begin(.writePrepared(PreparedWriting(writes)), connection, at: now, into: &actions)
    }

    mutating func writeCommand(
        _ value: [UInt8],
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> Bool {
        guard let slot = links.slot(of: connection) else { throw .noSuchConnection }
        guard !links[slot].att.isClosed else { throw .attTimedOut }
        guard value.count + 3 <= links[slot].att.mtu else { throw .valueTooLong }
        guard hasRoom(slot: slot) else { return false }
        send(GATTClient.writeCommand(value, handle), on: .attribute, slot: slot, into: &actions)
        return true
    }

    mutating func subscribe(
        _ connection: ConnectionID,
        to characteristic: RemoteCharacteristic,
        _ wanted: Subscription,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        guard let configuration = characteristic.descriptor(.clientCharacteristicConfiguration) else {
            throw .noClientConfiguration
        }
        return try write([wanted.rawValue, 0], connection, configuration.handle, at: now, into: &actions)
    }

    mutating func unsubscribe(
        _ connection: ConnectionID,
        from characteristic: RemoteCharacteristic,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        try subscribe(connection, to: characteristic, [], at: now, into: &actions)
    }

    private mutating func begin(
        _ procedure: consuming ClientProcedure,
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> ProcedureID {
        guard let slot = links.slot(of: connection) else { throw .noSuchConnection }
        let id = try att.begin(procedure, on: &links[slot], at: now, into: &attActions)
        carryOutATT(slot, at: now, into: &actions)
        return id
    }
}
