import BluethroatVirtualTime

/// The ATT part of a link: its longest PDU, and what server and client keep for the peer.
struct ATTBearer {
    /// How long a peer may take to answer a request or to confirm an indication. Core 6.0, Vol 3, Part F, 3.3.3.
    static let transactionTimeout = TimeSpan.seconds(30)
    /// The longest PDU until something else is agreed, on an LE link. Core 6.0, Vol 3, Part G, 5.2.1.
    static let defaultMTU = 23

    /// The longest PDU this host takes.
    let maximumMTU: Int
    /// The longest PDU either end may send, in bytes.
    private(set) var mtu = defaultMTU
    /// A transaction has timed out, and nothing is sent or taken any more.
    private(set) var isClosed = false
    var server = ServerSession()
    var client = ClientSession()

    init(maximumMTU: Int) { self.maximumMTU = maximumMTU }

    /// The peer takes PDUs of so many bytes: the new longest PDU, nil if that is as it was. Core 6.0, Vol 3, Part F,
    /// 3.4.2.2.
    mutating func agreeMTU(with peer: UInt16) -> Int? {
        let agreed = max(Self.defaultMTU, min(Int(peer), maximumMTU))
        guard agreed != mtu else { return nil }
        mtu = agreed
        return agreed
    }

    /// The peer has been asked for its longest PDU and has not answered: until then nothing may be notified or
    /// indicated, since the length that it takes is not known. Core 6.0, Vol 3, Part F, 3.4.2.2.
    var isExchangingMTU: Bool { client.request == .exchangeMTURequest }
    /// The application has to wait for that, and expects an event when it is over.
    var hasPendingReady = false

    /// Nothing more is sent or taken; what the server kept for the peer is forgotten.
    mutating func close() {
        isClosed = true
        server = ServerSession()
    }
}
