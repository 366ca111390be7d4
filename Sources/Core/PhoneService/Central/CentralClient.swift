import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

typealias ClientIndex = TableIndex<CentralClient>

/// One central manager.
struct CentralClient {
    let id: SessionID
    let app: AppID
    var scan: ScanRequest? {
        didSet { overflowBits = (scan?.services ?? []).map(OverflowArea.bit) }
    }
    /// The bits of the services that are looked for, one for each; they are compared with every packet.
    private(set) var overflowBits: [Int] = []
    /// The peers that this scan has found.
    var found: Set<PeerIndex> = []
    /// What was in the overflow areas of those whose services were reported last.
    var overflow: [PeerIndex: OverflowArea] = [:]
    var pending = Table<PendingConnection>()
    var watch: ConnectionWatch?
    /// The watched peers whose connection the app has heard of.
    var watched: Set<PeerIndex> = []

    /// What the app has heard of what there is in the peers that it is connected to.
    var seen: [PeerIndex: SeenAttributes] = [:]

    /// How the app knows the peers.
    var names: [PeerIndex: PeerID] = [:]

    init(id: SessionID, app: AppID) {
        self.id = id
        self.app = app
    }

    func pending(to peer: PeerIndex) -> TableIndex<PendingConnection>? { pending.firstIndex { $0.peer == peer } }

    /// How the app wants to be connected; nil if it does not.
    func request(for peer: PeerIndex) -> ConnectRequest? { pending(to: peer).map { pending[$0].request } }

    /// What the app has found in a peer, of all that is known of it.
    func found(in cache: AttributeCache, of peer: PeerIndex) -> [RemoteService] {
        seen[peer]?.found(in: cache) ?? []
    }
}

/// That an app wants to be connected to a peer, until it says otherwise.
struct PendingConnection {
    let peer: PeerIndex
    var request: ConnectRequest
    let number: UInt64
    var start: Instant
    /// Whether the start was looked at.
    var hasBegun = false
    var isConnected = false
    /// The app wants it to end, and waits to hear that it has.
    var isLeaving = false
    /// The app wants it anew, and is still to hear that the connection it had has ended.
    var followsEnd = false

    init(peer: PeerIndex, request: ConnectRequest, number: UInt64, start: Instant) {
        self.peer = peer
        self.request = request
        self.number = number
        self.start = start
    }
}
