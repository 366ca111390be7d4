import BluetoothValues
import VirtualTime

/// One connection's ATT: its longest PDU, and what server and client keep for the peer.
struct ATTBearer {
    /// How long a peer may take to answer a request or to confirm an indication. Core 6.0, Vol 3, Part F, 3.3.3.
    static let transactionTimeout = TimeSpan.seconds(30)
    /// The longest PDU until something else is agreed, on an LE link. Core 6.0, Vol 3, Part G, 5.2.1.
    static let defaultMTU = 23

    let connection: ConnectionID
    /// The longest PDU this host takes.
    let maximumMTU: Int
    /// The longest PDU either end may send, in bytes.
    private(set) var mtu = defaultMTU
    /// A transaction has timed out, and nothing is sent or taken any more.
    private(set) var isClosed = false
    var security = LinkSecurity()
    var server = ServerSession()
    var client = ClientSession()

    init(_ connection: ConnectionID, maximumMTU: Int) {
        self.connection = connection
        self.maximumMTU = maximumMTU
    }

    /// The peer takes PDUs of so many bytes. Core 6.0, Vol 3, Part F, 3.4.2.2.
    mutating func agreeMTU(with peer: UInt16, into actions: inout ATTActions) {
        let agreed = max(Self.defaultMTU, min(Int(peer), maximumMTU))
        guard agreed != mtu else { return }
        mtu = agreed
        actions.events.append(.mtuChanged(connection, agreed))
    }

    /// The peer has been asked for its longest PDU and has not answered: until then nothing may be notified or
    /// indicated, since nobody knows how long it may be. Core 6.0, Vol 3, Part F, 3.4.2.2.
    var isExchangingMTU: Bool { client.request == .exchangeMTURequest }
    /// The application was told to wait for that, and wants to hear of its end.
    var owesReady = false

    /// When a transaction times out: a request of either end, or an indication.
    var nextDeadline: Instant {
        let own = min(server.indicationDeadline, client.deadline)
        return min(own, server.pending?.deadline ?? .distantFuture)
    }

    /// Nothing more is sent or taken; what the server kept for the peer is forgotten.
    mutating func close() {
        isClosed = true
        server = ServerSession()
    }
}
