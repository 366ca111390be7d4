public import BluetoothValues
public import VirtualTime

extension Host {
    /// Connects as central to a device as soon as it advertises. Ends with `connected` or `connectFailed`; one attempt
    /// at a time.
    public func connect(
        to peer: DeviceAddress,
        _ parameters: ConnectParameters = ConnectParameters(),
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Gives up the attempt under way. Ends with `connectFailed`, or with `connected` where the connection was just
    /// being made.
    public func cancelConnect(at now: Instant, into actions: inout HostActions) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Ends the connection with a reason that the peer is told. Ends with `disconnected`.
    public func disconnect(
        _ connection: ConnectionID,
        reason: ControllerError = .remoteUserTerminatedConnection,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Asks for another pace: a central has its controller change it, a peripheral asks the central over L2CAP
    /// (Core 6.0, Vol 3, Part A, 4.20). Ends with `parameterUpdateCompleted`; one wish at a time per connection.
    public func updateParameters(
        _ connection: ConnectionID,
        _ range: ConnectionParameterRange,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Measures how strongly the peer is received. Ends with `signalStrength`.
    public func readRSSI(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Asks the peer's Link Layer for its version. Ends with `remoteVersion`.
    public func readRemoteVersion(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Asks the peer's Link Layer for its features. Ends with `remoteFeatures`.
    public func readRemoteFeatures(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// Suggests the longest Link Layer payload to send, 27 to 251 bytes. `dataLengthChanged` follows where the
    /// two ends agree on a new one.
    public func setDataLength(
        _ connection: ConnectionID,
        sentBytes: Int,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        throw .notPoweredOn
    }

    /// The connections that are open, in the order of their handles' slots.
    public var connections: [ConnectionDescription] { [] }

    /// What is known of one connection; nil once it is gone.
    public func description(of connection: ConnectionID) -> ConnectionDescription? { nil }
}
