import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// What a phone does for the central managers of its apps. `CentralRole` is the way in.
struct CentralCore {
    private let shared: SharedPhoneSettings
    var peers = PeerTable()
    var clients = Table<CentralClient>()
    var links = Table<CentralLink>()
    /// Channels that peers were asked for.
    var openings: [ChannelOpening] = []
    /// How the host scans, or was asked to; nil if it does not.
    var hostScan: ScanDuty?
    var attempt: ConnectionAttempt?
    /// When something that the host did not take is tried again.
    var retry: Instant?
    var pendingCount: UInt64 = 0
    var hidden = HiddenReports()

    init(_ shared: SharedPhoneSettings) { self.shared = shared }

    var settings: PhoneSettings { shared.settings }

    func client(_ id: SessionID) -> ClientIndex? { clients.firstIndex { $0.id == id } }

    func link(_ id: ConnectionID) -> LinkIndex? { links.firstIndex { $0.id == id } }

    func link(to peer: PeerIndex) -> LinkIndex? { links.firstIndex { $0.peer == peer } }

    // MARK: Time

    /// When something is to be done without anything happening before. Asked after each packet, and `mutating` for the
    /// reason given in decision 153.
    var nextDeadline: Instant? {
        mutating get {
            var next = retry ?? .distantFuture
            for client in clients.indices {
                for index in clients[client].pending.indices {
                    let pending = clients[client].pending[index]
                    if !pending.isConnected, !pending.hasBegun, pending.start < next { next = pending.start }
                }
            }
            return next == .distantFuture ? nil : next
        }
    }

    mutating func expire(_ turn: inout ServiceTurn) {
        if let retry, retry <= turn.now { self.retry = nil }
        proceed(&turn)
    }

    /// Has the host do what the apps want at the moment.
    mutating func proceed(_ turn: inout ServiceTurn) {
        guard turn.clients.radio == .poweredOn else { return }
        updateAttempt(&turn)
        updateScan(&turn)
    }

    // MARK: The radio

    /// The host is up: its bonded peers are known.
    mutating func cameUp(_ turn: inout ServiceTurn) {
        for bond in turn.host.bonds where peers.index(of: bond.peer) == nil {
            let peer = peers.insert(bond.peer)
            peers[peer].givenName = bond.name
            emitKnown(peer, &turn)
        }
    }

    /// The radio cannot be used any more. What was connected or wanted is over without a word: the state says it.
    mutating func wentDown(_ turn: inout ServiceTurn) {
        for client in clients.indices {
            clients[client].scan = nil
            clients[client].pending.removeAll()
            clients[client].watch = nil
        }
        links.removeAll()
        openings = []
        hostScan = nil
        attempt = nil
        retry = nil
        for peer in peers.all.indices {
            peers[peer].attributes = AttributeCache()
            emitKnown(peer, &turn)
        }
    }

    // MARK: Names

    /// A peer that was met before this phone was switched on.
    mutating func remember(_ address: DeviceAddress) { _ = peers.insert(address) }

    /// The name of a peer for an app.
    mutating func name(of peer: PeerIndex, for client: ClientIndex, _ turn: inout ServiceTurn) -> PeerID {
        if let known = clients[client].met[peer].name { return known }
        let name = turn.name(of: peers[peer].address, for: clients[client].app)
        clients[client].met[peer].name = name
        return name
    }

    func peerIndex(of name: PeerID, _ names: PeerNames) -> PeerIndex? {
        names.address(of: name).flatMap { peers.index(of: $0) }
    }

    /// Has all apps know what they may ask the phone about a peer.
    mutating func emitKnown(_ peer: PeerIndex, _ turn: inout ServiceTurn) {
        for client in clients.indices { emitKnown(peer, to: client, &turn) }
    }

    mutating func emitKnown(_ peer: PeerIndex, to client: ClientIndex, _ turn: inout ServiceTurn) {
        turn.emit(.peerKnown(summary(of: peer, for: client, &turn)), to: clients[client].id)
    }

    mutating func summary(of peer: PeerIndex, for client: ClientIndex, _ turn: inout ServiceTurn) -> PeerSummary {
        var summary = PeerSummary(id: name(of: peer, for: client, &turn), name: peers[peer].name)
        if let link = link(to: peer), !links[link].isEnding, !awaitsProof(link, turn) {
            summary.connectedServices = peers[peer].services
        }
        return summary
    }

    // MARK: Alerts

    /// Shows an alert for the app that was in the foreground last of those that do not run and want it.
    mutating func alert(
        _ candidates: [ClientIndex],
        _ peer: PeerIndex,
        _ turn: inout ServiceTurn,
        _ occasion: (PeerID, String?) -> SystemAlert.Occasion
    ) {
        let apps = turn.clients.apps
        let last = candidates.filter { apps.isAsleep(clients[$0].app) }
            .max { apps.wasInForeground(clients[$0].app, before: clients[$1].app) }
        guard let client = last else { return }
        let occasion = occasion(name(of: peer, for: client, &turn), peers[peer].name)
        turn.clients.apps.show(SystemAlert(app: clients[client].app, time: turn.now, occasion: occasion))
    }
}

/// The host's attempt to connect to a peer; it makes one at a time.
struct ConnectionAttempt {
    let peer: PeerIndex
    /// Whether it goes on until it succeeds; while several are wanted, those are called that have just been heard.
    let isOpenEnded: Bool
    var isCancelled = false
}

/// How much of the time the phone scans.
enum ScanDuty {
    /// For an app in the foreground.
    case full
    /// For apps in the background only.
    case reduced
}
