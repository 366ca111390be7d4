import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

typealias ClientIndex = TableIndex<CentralClient>

/// One central manager.
struct CentralClient {
    let id: SessionID
    let app: AppID
    var scan: ScanRequest? {
        didSet {
            let services = scan?.services ?? []
            sought = services.isEmpty ? .none : SoughtServices(services)
        }
    }
    /// The services of the scan.
    private(set) var sought = SoughtServices.none
    /// What the app knows of the peers that there are.
    var met = TableColumn<KnownPeer, MetPeer>(usual: MetPeer())
    var pending = Table<PendingConnection>()
    var watch: ConnectionWatch?
    /// The watched peers whose connection the app has heard of.
    var watched: Set<PeerIndex> = []

    /// What the app has heard of what there is in the peers that it is connected to.
    var seen: [PeerIndex: SeenAttributes] = [:]

    init(id: SessionID, app: AppID) {
        self.id = id
        self.app = app
    }

    func pending(to peer: PeerIndex) -> TableIndex<PendingConnection>? { pending.firstIndex { $0.peer == peer } }

    /// How the app wants to be connected; nil if it does not.
    func request(for peer: PeerIndex) -> ConnectRequest? { pending(to: peer).map { pending[$0].request } }

    /// The app does not know a peer any more; under which name it knew it, nil if under none.
    mutating func forget(_ peer: PeerIndex) -> PeerID? {
        seen[peer] = nil
        defer { met.reset(peer) }
        return met[peer].name
    }

    /// What the app has found in a peer, of all that is known of it.
    func found(in cache: AttributeCache, of peer: PeerIndex) -> [RemoteService] {
        seen[peer]?.found(in: cache) ?? []
    }
}

/// A peer as a central manager knows it.
struct MetPeer {
    /// Under which name; nil before it was told of the peer.
    var name: PeerID?
    /// Whether the scan that is running has found it.
    var isFound = false
    /// What was in its overflow area when services of it were reported last, in the scan that is running.
    var overflow: OverflowArea?
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
