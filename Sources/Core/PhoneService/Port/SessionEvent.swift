public import BluethroatBluetoothValues
public import BluethroatHost

/// What a manager hears from the service.
public enum SessionEvent: Sendable {
    /// The first event of a session, and each time it changes.
    case state(RadioState)
    case central(CentralEvent)
    case peripheral(PeripheralEvent)
    /// Comes after the event that the channel is open.
    case channel(AppChannelID, AppChannelEvent)

    /// Whether a channel is open from now on. Taking the channel out of an event means to copy the event, and most are others.
    package var opensChannel: Bool {
        switch self {
        case .central(.peer(_, _, .channelOpened)), .peripheral(.channelOpened): true
        default: false
        }
    }
}

/// What a central manager hears.
public enum CentralEvent: Sendable {
    /// The phone knows this peer, or knows something else about it; apps get no callback, but may ask.
    case peerKnown(PeerSummary)
    /// The phone does not know a peer any more, of which the session was told.
    case peerForgotten(PeerID)
    case discovered(Sighting)
    case connected(PeerID, LinkID, LinkLimits)
    case connectFailed(PeerID, ServiceFault?)
    case disconnected(PeerID, Disconnection)
    /// A connection that any app on the phone made or lost, to a peer that the app watches.
    case connectionEvent(PeerID, isConnected: Bool)
    case ancsAuthorization(PeerID, Bool)
    case peer(PeerID, LinkID, PeerEvent)
    /// Comes before the first state if the app was terminated and had asked to be restored.
    case restored(CentralRestoration)
}

/// A peer was heard.
public struct Sighting: Hashable, Sendable {
    public var peer: PeerID
    /// The name under which the app now knows the peer.
    public var name: String?
    /// Advertisement and scan response together.
    public var advertisement: AdvertisingData
    /// Services from Apple's overflow area that the app had asked for.
    public var overflowServices: OverflowServices
    public var isConnectable: Bool
    /// Nil where the controller does not know.
    public var signalStrength: SignalStrength?

    public init(
        peer: PeerID,
        name: String? = nil,
        advertisement: AdvertisingData,
        overflowServices: OverflowServices = OverflowServices(),
        isConnectable: Bool,
        signalStrength: SignalStrength? = nil
    ) {
        self.peer = peer
        self.name = name
        self.advertisement = advertisement
        self.overflowServices = overflowServices
        self.isConnectable = isConnectable
        self.signalStrength = signalStrength
    }
}

/// How much fits through a connection.
public struct LinkLimits: Hashable, Sendable {
    /// Bytes in a write without response: the ATT MTU less three.
    public var writeWithoutResponse: Int
    /// Writes without response that may be on their way at once.
    public var writeWindow: Int
    /// When the app hears that it can write without response again.
    public var writeReadiness: WriteReadiness

    public init(
        writeWithoutResponse: Int = 20,
        writeWindow: Int,
        writeReadiness: WriteReadiness = .whenDrained
    ) {
        self.writeWithoutResponse = writeWithoutResponse
        self.writeWindow = writeWindow
        self.writeReadiness = writeReadiness
    }
}

/// When `peripheralIsReady(toSendWriteWithoutResponse:)` is called.
public enum WriteReadiness: Hashable, Sendable {
    /// As on phones: once when everything that was written without response has left, whether or not
    /// `canSendWriteWithoutResponse` has ever said no; if it has, as soon as there is room again.
    case whenDrained
    /// As Apple's header has it: only when there is room again after `canSendWriteWithoutResponse` has said no.
    case afterRefusal
}

/// How a connection ended, for the app.
public struct Disconnection: Hashable, Sendable {
    /// Nil if the app wanted it.
    public var fault: ServiceFault?
    /// Seconds since 1 January 2001.
    public var time: Double
    /// The phone tries to connect again by itself.
    public var isReconnecting: Bool

    public init(fault: ServiceFault? = nil, time: Double, isReconnecting: Bool = false) {
        self.fault = fault
        self.time = time
        self.isReconnecting = isReconnecting
    }
}

/// What the phone kept for a central while its app did not run.
public struct CentralRestoration: Sendable {
    /// Those who are connected or waited for, the longest wanted first.
    public var peers: [Peer]
    public var scan: ScanRequest?

    /// A peer that the app is connected to, or wants to be.
    public struct Peer: Sendable {
        public var summary: PeerSummary
        /// The connection; nil while it is waited for.
        public var link: LinkID?
        public var limits: LinkLimits
        /// What the app had found on the connection, and what is in it.
        public var services: [RemoteService]
        /// The values that the app wants to be sent.
        public var notifying: [AttributeHandle]

        public init(
            summary: PeerSummary,
            link: LinkID? = nil,
            limits: LinkLimits = LinkLimits(writeWindow: 0),
            services: [RemoteService] = [],
            notifying: [AttributeHandle] = []
        ) {
            self.summary = summary
            self.link = link
            self.limits = limits
            self.services = services
            self.notifying = notifying
        }
    }

    public init(peers: [Peer] = [], scan: ScanRequest? = nil) {
        self.peers = peers
        self.scan = scan
    }
}

/// What became of a `PeerCommand`, or what a connected peer did by itself.
public enum PeerEvent: Sendable {
    case nameChanged(String?)
    case limitsChanged(LinkLimits)
    /// So many writes without response have left the window.
    case writesSent(Int)
    /// The services found, without what is in them.
    case servicesDiscovered(Result<[RemoteService], ServiceFault>)
    case includedServicesDiscovered(of: AttributeHandle, Result<[RemoteService], ServiceFault>)
    case characteristicsDiscovered(of: AttributeHandle, Result<[RemoteCharacteristic], ServiceFault>)
    case descriptorsDiscovered(of: AttributeHandle, Result<[RemoteDescriptor], ServiceFault>)
    /// Services, named by their first handle, are gone or have changed.
    case servicesInvalidated([AttributeHandle])
    /// A value that was read, or that the peer sent.
    case value(AttributeHandle, Result<[UInt8], ServiceFault>)
    case descriptorValue(AttributeHandle, Result<[UInt8], ServiceFault>)
    case written(AttributeHandle, ServiceFault?)
    case descriptorWritten(AttributeHandle, ServiceFault?)
    case notifying(AttributeHandle, Result<Bool, ServiceFault>)
    case signalStrength(Result<SignalStrength, ServiceFault>)
    case channelOpened(OpenChannel)
    case channelRefused(ServiceFault)
    case channelSoundingEnded(ServiceFault)
}
