public import BluetoothValues
internal import HCI
public import VirtualTime

/// Orders about connections.
extension Host {
    /// Connects as central to a device as soon as it advertises; to a bonded one by its identity, whatever address it
    /// shows. Ends with `connected` or `connectFailed`; one attempt at a time.
    public func connect(
        to peer: DeviceAddress,
        _ parameters: ConnectParameters = ConnectParameters(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try require(.leCreateConnection, .leCreateConnectionCancel)
        let attempt = Initiator.Attempt(
            peer: peer,
            target: target(peer),
            parameters: parameters,
            choice: try choice(of: parameters.ownAddress, towards: peer),
            end: parameters.timeout.map { now + $0 }
        )
        guard gap.initiator.isIdle else { throw .busy }
        // Whom the host has to search for it scans for.
        if attempt.target == .searched { try require(.leSetScanParameters, .leSetScanEnable) }
        try claim(attempt.choice)
        holdIfNeeded(for: attempt.choice, at: now)
        _ = gap.initiator.start(attempt, commands: &pipeline)
        settle(at: now, into: &actions)
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Gives up the attempt under way. Ends with `connectFailed`, or with `connected` where the connection was just
    /// being made, or the peer was about to answer on it.
    public func cancelConnect(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        guard phase == .up else { throw .notPoweredOn }
        guard gap.initiator.cancel(at: now, commands: &pipeline, events: &actions.events) else {
            throw .notActive
        }
        settle(at: now, into: &actions)
        pipeline.flush(at: now, into: &actions.packets)
    }

    /// Ends the connection with a reason that the peer is told. Ends with `disconnected`. What is still queued may be
    /// lost.
    public func disconnect(
        _ connection: ConnectionID,
        reason: ControllerError = .remoteUserTerminatedConnection,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let slot = try slot(of: connection)
        guard !connections[slot].isDisconnecting else { throw .busy }
        connections[slot].isDisconnecting = true
        let command = Disconnect(connection: connection.handle, reason: reason)
        order(.disconnect, .disconnect(command), connection, at: now, into: &actions)
    }

    /// Measures how strongly the peer is received. Ends with `signalStrength`.
    public func readRSSI(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        _ = try slot(of: connection)
        try require(.readRSSI)
        order(.readRSSI, .readRSSI(ReadRSSI(connection: connection.handle)), connection, at: now, into: &actions)
    }

    /// Asks the peer's Link Layer for its version. Ends with `remoteVersion`.
    public func readRemoteVersion(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        _ = try slot(of: connection)
        try require(.readRemoteVersionInformation)
        let command = ReadRemoteVersionInformation(connection: connection.handle)
        order(.readRemoteVersion, .readRemoteVersionInformation(command), connection, at: now, into: &actions)
    }

    /// Asks the peer's Link Layer for its features. Ends with `remoteFeatures`.
    public func readRemoteFeatures(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let slot = try slot(of: connection)
        try require(.leReadRemoteFeatures)
        let isAsking = !connections[slot].featureReading.isEmpty
        let isOwn = !connections[slot].featureReading.contains(.application)
        connections[slot].featureReading.insert(.application)
        // The controller is asking already, for the host.
        if isAsking, isOwn { return }
        let command = LEReadRemoteFeatures(connection: connection.handle)
        order(.readRemoteFeatures, .leReadRemoteFeatures(command), connection, at: now, into: &actions)
    }

    /// Suggests the longest Link Layer payload to send, 27 to 251 bytes; other numbers are brought into that range.
    /// `dataLengthChanged` follows where the two ends agree on a new one.
    public func setDataLength(
        _ connection: ConnectionID,
        sentBytes: Int,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        _ = try slot(of: connection)
        try require(.leSetDataLength)
        let command = LESetDataLength(connection: connection.handle, payloadBytes: min(max(sentBytes, 27), 251))
        order(.setDataLength, .leSetDataLength(command), connection, at: now, into: &actions)
    }

    /// The connections that are open.
    public var openConnections: [ConnectionDescription] {
        (0..<connections.slotCount).filter { connections.isOpen($0) && connections[$0].isAnswered }
            .map { connections[$0].description }
    }

    /// What is known of one connection; nil once it is gone.
    public func description(of connection: ConnectionID) -> ConnectionDescription? {
        connections.slot(of: connection).map { connections[$0].description }
    }

    func order(
        _ order: ConnectionOrder,
        _ command: Command,
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        pipeline.submit(command.packet(), for: .connection(connection, .order(order)))
        pipeline.flush(at: now, into: &actions.packets)
    }
}
