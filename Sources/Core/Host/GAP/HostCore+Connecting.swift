internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Orders about connections.
extension HostCore {
    mutating func connect(
        to peer: DeviceAddress,
        _ parameters: ConnectParameters = ConnectParameters(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try require(.leCreateConnection, .leCreateConnectionCancel)
        let attempt = InitiatingSequencer.Attempt(
            peer: peer,
            target: target(peer),
            parameters: parameters,
            choice: try choice(of: parameters.ownAddress, towards: peer),
            end: parameters.timeout.map { now.after($0) }
        )
        guard gap.initiator.isIdle else { throw .busy }
        // The host scans for a peer whose address it has to find.
        if attempt.target == .searched { try require(.leSetScanParameters, .leSetScanEnable) }
        try claim(attempt.choice)
        holdIfNeeded(for: attempt.choice, at: now)
        _ = gap.initiator.start(attempt, commands: &pipeline)
    }

    mutating func cancelConnect(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard gap.initiator.cancel(at: now, commands: &pipeline, events: &actions.events) else {
            throw .notActive
        }
    }

    mutating func disconnect(
        _ connection: ConnectionID,
        reason: ControllerError = .remoteUserTerminatedConnection,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let slot = try slot(of: connection)
        guard !links[slot].control.isDisconnecting else { throw .busy }
        links[slot].control.isDisconnecting = true
        let command = Disconnect(connection: connection.handle, reason: reason)
        order(.disconnect, .disconnect(command), connection, at: now, into: &actions)
    }

    mutating func readRSSI(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        _ = try slot(of: connection)
        try require(.readRSSI)
        order(.readRSSI, .readRSSI(ReadRSSI(connection: connection.handle)), connection, at: now, into: &actions)
    }

    mutating func readRemoteVersion(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        _ = try slot(of: connection)
        try require(.readRemoteVersionInformation)
        let command = ReadRemoteVersionInformation(connection: connection.handle)
        order(.readRemoteVersion, .readRemoteVersionInformation(command), connection, at: now, into: &actions)
    }

    mutating func readRemoteFeatures(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        let slot = try slot(of: connection)
        try require(.leReadRemoteFeatures)
        let isAsking = !links[slot].control.featureReading.isEmpty
        let isOwn = !links[slot].control.featureReading.contains(.application)
        links[slot].control.featureReading.insert(.application)
        // The controller is asking already, for the host.
        if isAsking, isOwn { return }
        let command = LEReadRemoteFeatures(connection: connection.handle)
        order(.readRemoteFeatures, .leReadRemoteFeatures(command), connection, at: now, into: &actions)
    }

    mutating func setDataLength(
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

    /// The connections that are open, and that the application knows of.
    var openConnections: [ConnectionDescription] {
        var open: [ConnectionDescription] = []
        for slot in 0..<links.slotCount where links.isOpen(slot) && links[slot].control.isAnswered {
            open.append(links[slot].description)
        }
        return open
    }

    func description(of connection: ConnectionID) -> ConnectionDescription? {
        links.slot(of: connection).map { links[$0].description }
    }

    mutating func order(
        _ order: ConnectionOrder,
        _ command: Command,
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        pipeline.submit(command.packet(), for: .connection(connection, .order(order)))
    }
}
