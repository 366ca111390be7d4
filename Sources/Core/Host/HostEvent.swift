public import BluethroatBluetoothValues

/// Events from a host for its application.
public enum HostEvent: Sendable {
    // MARK: The host itself

    /// The controller is up and orders are taken. Comes again after the host has restarted a failed controller.
    indirect case poweredOn(HostIdentity)
    /// The controller could not be brought up. `powerOn` may be tried again.
    case startFailed(HostFailure)
    /// A controller that was up has failed; everything under way has ended, each with its own event before this one.
    /// After a hardware error the host restarts the controller by itself.
    case controllerFailed(HostFailure)
    /// The controller sent bytes that are no HCI packet, or one that contradicts itself; they were ignored.
    case malformedPacket(MalformedPacket)
    /// A command that the application sent with `sendCommand` has been answered; with the return parameters,
    /// status first. Empty when the controller failed before, or never answered.
    case commandCompleted(CommandID, returnParameters: [UInt8])

    // MARK: GAP

    case advertisingStarted
    /// Advertising is over, or could not begin.
    case advertisingEnded(AdvertisingEnd)
    case scanningStarted
    /// Scanning is over, or could not begin.
    case scanningEnded(ScanEnd)
    /// An advertisement or a scan response was heard.
    case advertisingReport(AdvertisingReport)
    /// The answer to `setFilterAcceptList`: success, or why the list is incomplete.
    case filterAcceptListSet(ControllerError)
    case connected(ConnectionDescription)
    /// What `connect` began has failed.
    case connectFailed(DeviceAddress, ConnectFailure)
    /// Nothing more comes from this connection, and orders for it are refused.
    case disconnected(ConnectionID, reason: ControllerError)
    /// The connection has new parameters, whichever side asked for them.
    case parametersChanged(ConnectionID, ConnectionParameters)
    /// The answer to `updateParameters`.
    case parameterUpdateCompleted(ConnectionID, ParameterUpdateResult)
    /// The peer asked for other parameters, and the host's policy has answered.
    case parameterRequestAnswered(ConnectionID, ConnectionParameterRange, accepted: Bool)
    /// Link Layer packets have a new maximum length.
    case dataLengthChanged(ConnectionID, DataLength)
    /// The PHYs of a connection: they have changed, whichever side asked for it, or `setPHYs` or `readPHYs` is
    /// answered.
    case phys(ConnectionID, ConnectionPHYs)
    /// The answer to `readRSSI`; nil where the controller has no value.
    case signalStrength(ConnectionID, SignalStrength?)
    /// The answer to `readRemoteVersion`.
    case remoteVersion(ConnectionID, RemoteVersion)
    /// The answer to `readRemoteFeatures`: the peer's LE features, bit by bit. Core 6.0, Vol 6, Part B, 4.6.
    case remoteFeatures(ConnectionID, featureBits: UInt64)
    /// The controller refused an order for a connection, or it failed.
    case connectionOrderFailed(ConnectionID, ConnectionOrder, ControllerError)

    // MARK: Data

    /// A connection whose queue refused a PDU has room again.
    case readyToSend(ConnectionID)
    /// An event of an L2CAP channel.
    case channel(ChannelEvent)

    // MARK: Security

    /// Pairings, encryption and bonds.
    indirect case security(SecurityEvent)

    // MARK: ATT and GATT

    /// The longest ATT PDU of a connection has changed, in bytes; it begins with 23.
    case mtuChanged(ConnectionID, Int)
    case server(GATTServerEvent)
    case client(GATTClientEvent)
    /// The peer left a request or an indication unanswered for 30 s, or the application a request of the peer. No more ATT goes to it on this connection.
    /// Core 6.0, Vol 3, Part F, 3.3.3.
    case attTimedOut(ConnectionID)
}

/// What was wrong with bytes from the controller.
public enum MalformedPacket: Hashable, Sendable {
    /// Not one of the packet types a controller sends. Core 6.0, Vol 4, Part A, 2.
    case packetType(UInt8?)
    /// An event whose parameters do not fit its code.
    case event(code: UInt8?)
    /// The answer to a command whose return parameters do not fit.
    case returnParameters(opcode: UInt16)
    /// An ACL data packet whose header or length is wrong.
    case aclData
}

/// An order for one connection that the controller answers later.
public enum ConnectionOrder: Hashable, Sendable {
    case disconnect
    case readRSSI
    case readRemoteVersion
    case readRemoteFeatures
    case setDataLength
    case setPHYs
    case readPHYs
}

/// Names one command sent with `sendCommand`.
public struct CommandID: Hashable, Sendable {
    public let number: UInt32

    init(number: UInt32) { self.number = number }
}
