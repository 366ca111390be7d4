import BluetoothValues
import Host
import VirtualTime

/// Central managers: what they order, and what happens to them.
extension BluetoothService {
    /// A central manager has come; it learns whom the phone knows.
    func openCentral(_ id: SessionID, of app: AppID) {
        central.clients.append(CentralClient(id: id, app: app))
        for peer in central.peers.all.indices { tellKnown(peer, to: central.clients.count - 1) }
    }

    func closeCentral(_ id: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let client = central.client(id) else { return }
        leaveAll(client, host: host, at: now, into: &actions)
        central.clients.remove(at: client)
        for link in central.links.indices { central.links[link].dropEverything(of: id) }
        proceed(host: host, at: now, into: &actions)
    }

    /// An app wants nothing of anybody any more.
    func leaveAll(_ client: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        let peers = central.clients[client].wishes.map(\.peer)
        for peer in peers { leave(peer, client: client, isTold: false, host: host, at: now, into: &actions) }
    }

    func perform(
        _ order: CentralCommand,
        from id: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let client = central.client(id), radioState(for: central.clients[client].app) == .poweredOn else {
            return
        }
        switch order {
        case .scan(let request):
            note(request, of: id, at: now)
            guard central.clients[client].scan != request else { return }
            central.clients[client].scan = request
            central.clients[client].found = []
            central.clients[client].overflow = [:]
        case .stopScan: central.clients[client].scan = nil
        case .connect(let peer, let request):
            guard let peer = peerIndex(of: peer) else {
                return tell(.central(.connectFailed(peer, .local(.unknownDevice))), to: id)
            }
            connect(peer, request, client: client, at: now)
        case .cancelConnection(let name):
            guard let peer = peerIndex(of: name) else { return }
            leave(peer, client: client, isTold: true, host: host, at: now, into: &actions)
        case .forget(let name):
            guard let peer = peerIndex(of: name) else { return }
            leave(peer, client: client, isTold: false, host: host, at: now, into: &actions)
        case .watchConnections(let watch):
            central.clients[client].watch = watch
            central.clients[client].watched = []
        case .peer(let peer, let link, let order):
            return perform(order, on: link, peer, from: id, host: host, at: now, into: &actions)
        }
        proceed(host: host, at: now, into: &actions)
    }

    func handleCentral(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .advertisingReport(let report): heard(report, host: host, at: now, into: &actions)
        case .scanningEnded(let end):
            if case .refused = end {
                central.pace = nil
                central.retry = now + .seconds(1)
            }
        case .connected(let description) where description.role == .central:
            linkMade(description, host: host, at: now, into: &actions)
        case .connected(let description): linkCame(description, host: host, at: now, into: &actions)
        case .connectFailed(_, let failure): callEnded(failure, host: host, at: now, into: &actions)
        case .disconnected(let id, let reason): linkLost(id, reason, host: host, at: now, into: &actions)
        case .mtuChanged(let id, let mtu): mtuChanged(id, mtu)
        case .signalStrength(let id, let strength):
            answerStrength(id, strength.map { .success($0) } ?? .failure(.local(.unknown)))
        case .connectionOrderFailed(let id, .readRSSI, _): answerStrength(id, .failure(.local(.unknown)))
        case .readyToSend(let id): sendUnsent(id, host: host, at: now, into: &actions)
        case .attTimedOut(let id):
            // On a link that the peer has made, an app may be the one that has not answered.
            guard let link = central.link(id), !central.links[link].isIncoming else { return }
            end(link, because: .local(.connectionTimeout), host: host, at: now, into: &actions)
        case .security(let event): handle(event, host: host, at: now, into: &actions)
        case .client(.procedureCompleted(let procedure, let id, let result)):
            completed(procedure, on: id, result, host: host, at: now, into: &actions)
        case .client(.notificationReceived(let id, let handle, let value, _)):
            notified(id, handle, value, at: now)
        default: break
        }
    }

    /// The host is up: its bonded peers are known.
    func centralCameUp(host: Host) {
        for bond in host.bonds where central.peers.index(of: bond.peer) == nil {
            let peer = central.peers.take(bond.peer)
            central.peers[peer].givenName = bond.name
            for client in central.clients.indices { tellKnown(peer, to: client) }
        }
    }

    /// The radio cannot be used any more. What was connected or wanted is over without a word: the state says it.
    func centralWentDown() {
        for client in central.clients.indices {
            central.clients[client].scan = nil
            central.clients[client].wishes = []
            central.clients[client].watch = nil
        }
        central.links = []
        central.pace = nil
        central.call = nil
        central.retry = nil
        for peer in central.peers.all.indices {
            central.peers[peer].attributes = AttributeCache()
            for client in central.clients.indices { tellKnown(peer, to: client) }
        }
    }

    /// Sees to it that the host does what the apps want at the moment.
    func proceed(host: Host, at now: Instant, into actions: inout HostActions) {
        guard radio == .poweredOn else { return }
        placeCall(host: host, at: now, into: &actions)
        updateScan(host: host, at: now, into: &actions)
    }

    func expireCentral(host: Host, at now: Instant, into actions: inout HostActions) {
        if let retry = central.retry, retry <= now { central.retry = nil }
        proceed(host: host, at: now, into: &actions)
    }

    // MARK: Names

    /// The name of a peer for an app.
    func name(of peer: Int, for client: Int) -> PeerID {
        if let known = central.clients[client].names[peer] { return known }
        let name = names.name(of: central.peers[peer].address, for: central.clients[client].app)
        central.clients[client].names[peer] = name
        return name
    }

    func peerIndex(of name: PeerID) -> Int? {
        names.address(of: name).flatMap { central.peers.index(of: $0) }
    }

    /// Tells what an app may ask the phone about a peer.
    func tellKnown(_ peer: Int, to client: Int) {
        tell(.central(.peerKnown(summary(of: peer, for: client))), to: central.clients[client].id)
    }

    func summary(of peer: Int, for client: Int) -> PeerSummary {
        var summary = PeerSummary(id: name(of: peer, for: client), name: central.peers[peer].name)
        if let link = central.link(to: peer), !central.links[link].isEnding {
            summary.connectedServices = central.peers[peer].services
        }
        return summary
    }
}

extension KnownPeer {
    /// The services that were found, else those that are advertised.
    var services: [BluetoothUUID] {
        attributes.hasServices ? attributes.primaryServices.map(\.uuid) : advertisingData.serviceUUIDs
    }
}
