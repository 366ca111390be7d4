public import BluethroatBluetoothValues
internal import BluethroatHCI
public import BluethroatVirtualTime

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
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.connect(to: peer, parameters, at: now, into: &actions)
        }
    }

    /// Gives up the attempt under way. Ends with `connectFailed`, or with `connected` where the connection was just
    /// being made, or the peer was about to answer on it.
    public func cancelConnect(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.cancelConnect(at: now, into: &actions)
        }
    }

    /// Ends the connection with a reason that the peer receives. Ends with `disconnected`. What is still queued may be
    /// lost.
    public func disconnect(
        _ connection: ConnectionID,
        reason: ControllerError = .remoteUserTerminatedConnection,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.disconnect(connection, reason: reason, at: now, into: &actions)
        }
    }

    /// Measures how strongly the peer is received. Ends with `signalStrength`.
    public func readRSSI(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.readRSSI(connection, at: now, into: &actions)
        }
    }

    /// Asks the peer's Link Layer for its version. Ends with `remoteVersion`.
    public func readRemoteVersion(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.readRemoteVersion(connection, at: now, into: &actions)
        }
    }

    /// Asks the peer's Link Layer for its features. Ends with `remoteFeatures`.
    public func readRemoteFeatures(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.readRemoteFeatures(connection, at: now, into: &actions)
        }
    }

    /// Suggests the longest Link Layer payload to send, 27 to 251 bytes; other numbers are brought into that range.
    /// `dataLengthChanged` follows where the two ends agree on a new one.
    public func setDataLength(
        _ connection: ConnectionID,
        sentBytes: Int,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.setDataLength(connection, sentBytes: sentBytes, at: now, into: &actions)
        }
    }

    /// The connections that are open.
    public var openConnections: [ConnectionDescription] { core.openConnections }

    /// What is known of one connection; nil once it is gone.
    public func description(of connection: ConnectionID) -> ConnectionDescription? { core.description(of: connection) }
}
