import BluetoothValues
import Host
import VirtualTime

/// What a phone does for the central managers of its apps.
struct CentralSide {
    var peers = PeerTable()
    var clients: [CentralClient] = []
    var links: [CentralLink] = []
    /// How the host was told to scan; nil if it was not.
    var pace: ScanPace?
    var call: Call?
    /// When something that the host did not take is tried again.
    var retry: Instant?
    var wishCount: UInt64 = 0
    var hidden = HiddenReports()

    /// The host's attempt to connect to somebody; it makes one at a time.
    struct Call {
        let peer: Int
        /// Whether it goes on until it succeeds; while several are wanted, those are called that have just been heard.
        let isPatient: Bool
        var isCancelled = false
    }

    func client(_ id: SessionID) -> Int? { clients.firstIndex { $0.id == id } }

    func link(_ id: ConnectionID) -> Int? { links.firstIndex { $0.id == id } }

    func link(to peer: Int) -> Int? { links.firstIndex { $0.peer == peer } }

    /// Whom apps want to be connected to and are not, the longest wanted first.
    func wanted(at now: Instant) -> [Int] {
        var peers: [Int] = []
        let wishes = clients.flatMap(\.wishes).filter { !$0.isConnected && $0.start <= now }
        for wish in wishes.sorted(by: { $0.number < $1.number })
        where !peers.contains(wish.peer) && !links.contains(where: { $0.peer == wish.peer }) {
            peers.append(wish.peer)
        }
        return peers
    }

    /// When something is to be done without anything happening before.
    var nextDeadline: Instant? {
        let starts = clients.flatMap(\.wishes).filter { !$0.isConnected && !$0.hasBegun }.map(\.start)
        return (starts + [retry].compactMap(\.self)).min()
    }
}

/// How much of the time the phone listens.
enum ScanPace {
    /// For an app in the foreground.
    case full
    /// For apps in the background only.
    case reduced
}

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
    var found: Set<Int> = []
    /// What was in the overflow areas of those whose services were reported last.
    var overflow: [Int: OverflowArea] = [:]
    var wishes: [Wish] = []
    var watch: ConnectionWatch?
    /// The watched peers whose connection the app was told of.
    var watched: Set<Int> = []

    /// What the app was told of what there is in the peers that it is connected to.
    var seen: [Int: SeenAttributes] = [:]

    /// How the app knows the peers.
    var names: [Int: PeerID] = [:]

    func wish(for peer: Int) -> Int? { wishes.firstIndex { $0.peer == peer } }

    /// How the app wants to be connected; nil if it does not.
    func request(for peer: Int) -> ConnectRequest? { wish(for: peer).map { wishes[$0].request } }

    /// What the app has found in a peer, of all that is known of it.
    func found(in cache: AttributeCache, of peer: Int) -> [RemoteService] { seen[peer]?.found(in: cache) ?? [] }
}

/// That an app wants to be connected to a peer, until it says otherwise.
struct Wish {
    let peer: Int
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
}
