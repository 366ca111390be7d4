import BluethroatBluetoothValues
import BluethroatHost

/// Central managers as they come, want something, and go.
extension CentralCore {
    /// A central manager has come; it learns which peers the phone knows.
    mutating func open(_ id: SessionID, of app: AppID, _ turn: inout ServiceTurn) {
        let client = clients.append(CentralClient(id: id, app: app))
        for peer in peers.all.indices { emitKnown(peer, to: client, &turn) }
    }

    /// A manager is gone.
    mutating func close(_ id: SessionID, _ turn: inout ServiceTurn) {
        guard let client = client(id) else { return }
        leaveAll(client, &turn)
        clients.remove(at: client)
        for link in links.indices { links[link].dropEverything(of: id) }
        proceed(&turn)
    }

    /// An app may use Bluetooth no longer; its manager stays.
    mutating func drop(_ id: SessionID, _ turn: inout ServiceTurn) {
        guard let client = client(id) else { return }
        leaveAll(client, &turn)
        clients[client].scan = nil
        clients[client].watch = nil
        proceed(&turn)
    }

    private mutating func leaveAll(_ client: ClientIndex, _ turn: inout ServiceTurn) {
        let session = clients[client].id
        openings.removeAll { $0.session == session }
        let peers = clients[client].pending.map(\.peer)
        for peer in peers { leave(peer, client, isReported: false, &turn) }
    }

    mutating func perform(_ command: CentralCommand, from id: SessionID, _ turn: inout ServiceTurn) {
        guard let client = activeClient(id, turn) else { return }
        switch command {
        case .scan(let request):
            note(request, of: client, &turn)
            guard clients[client].scan != request else { return }
            clients[client].scan = request
            clients[client].met.changeAll { met in
                met.isFound = false
                met.overflow = nil
            }
        case .stopScan: clients[client].scan = nil
        case .connect(let name, let request):
            guard let peer = peerIndex(of: name, turn.clients.names) else {
                return turn.emit(.connectFailed(name, .local(.unknownDevice)), to: id)
            }
            connect(peer, request, client, &turn)
        case .cancelConnection(let name):
            guard let peer = peerIndex(of: name, turn.clients.names) else { return }
            leave(peer, client, isReported: true, &turn)
        case .forget(let name):
            guard let peer = peerIndex(of: name, turn.clients.names) else { return }
            leave(peer, client, isReported: false, &turn)
        case .watchConnections(let watch):
            clients[client].watch = watch
            clients[client].watched = []
        case .peer(let peer, let link, let command): return perform(command, on: link, peer, from: id, &turn)
        }
        proceed(&turn)
    }

    /// The connection that a session leaves with this command.
    func connection(leftBy command: CentralCommand, from id: SessionID, _ turn: borrowing ServiceTurn) -> ConnectionID?
    {
        let name: PeerID
        let isReported: Bool
        switch command {
        case .cancelConnection(let peer): (name, isReported) = (peer, true)
        case .forget(let peer): (name, isReported) = (peer, false)
        case .scan, .stopScan, .connect, .watchConnections, .peer: return nil
        }
        guard let client = activeClient(id, turn), let peer = peerIndex(of: name, turn.clients.names) else {
            return nil
        }
        return connection(leftBy: client, peer, isReported: isReported)
    }

    /// The manager of a session, if it may use the radio now.
    private func activeClient(_ id: SessionID, _ turn: borrowing ServiceTurn) -> ClientIndex? {
        guard let client = client(id), turn.clients.radioState(for: clients[client].app, .central) == .poweredOn else {
            return nil
        }
        return client
    }

    // MARK: Restoration

    /// What a manager has while its app is away. It goes on without its client.
    mutating func keep(_ id: SessionID, _ turn: inout ServiceTurn) -> CentralRestoration {
        openings.removeAll { $0.session == id }
        guard let client = client(id) else { return CentralRestoration() }
        clients[client].watch = nil
        for link in links.indices { links[link].dropCommands(of: id) }
        clients[client].pending.removeAll { $0.isLeaving }
        let pending = clients[client].pending.sorted { $0.number < $1.number }
        var peers: [CentralRestoration.Peer] = []
        for pending in pending { peers.append(keep(pending, of: client, id, &turn)) }
        return CentralRestoration(peers: peers, scan: clients[client].scan)
    }

    private mutating func keep(
        _ pending: PendingConnection,
        of client: ClientIndex,
        _ id: SessionID,
        _ turn: inout ServiceTurn
    ) -> CentralRestoration.Peer {
        var kept = CentralRestoration.Peer(summary: summary(of: pending.peer, for: client, &turn))
        guard pending.isConnected, let link = link(to: pending.peer) else { return kept }
        kept.link = links[link].linkID
        kept.limits = links[link].limits(settings)
        kept.services = clients[client].found(in: peers[pending.peer].attributes, of: pending.peer)
        let subscribers = links[link].subscribers
        kept.notifying = subscribers.keys.filter { subscribers[$0]?.contains(id) ?? false }.sorted()
        return kept
    }

    /// A manager is there again: it hears of the peers that the phone knows, and of what was kept.
    mutating func restore(_ kept: CentralRestoration, to id: SessionID, _ turn: inout ServiceTurn) {
        if let client = client(id) {
            for peer in peers.all.indices { emitKnown(peer, to: client, &turn) }
        }
        turn.emit(.restored(kept), to: id)
    }
}
