import BluetoothValues
import Host
import VirtualTime

/// Connections as they come and go, for all apps that want them.
extension BluetoothService {
    /// A peer has answered the phone's call: whoever wants it is connected.
    func linkMade(
        _ description: ConnectionDescription,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        // Of a phone without LE 2M nothing is expected.
        if settings.asksForLE2M { try? host.askForLE2M(description.id, at: now, into: &actions) }
        let identity = description.peerIdentity ?? description.peer
        // Whom we have called it is, by whatever address.
        let peer = central.call?.peer ?? central.peers.take(identity)
        central.call = nil
        if identity != central.peers[peer].address, central.peers.index(of: identity) == nil {
            learn(identity: identity, of: peer)
        }
        let link = central.links.count
        central.links.append(CentralLink(id: description.id, peer: peer))
        let jobs: [LinkJob.Work] = [.exchangeMTU, .findServices, .readName, .watchServices]
        central.links[link].jobs = jobs.map { LinkJob(work: $0, session: nil) }
        share(link, host: host, at: now, into: &actions)
        proceed(host: host, at: now, into: &actions)
    }

    /// Tells whoever wants a new link's peer; ends the link if nobody does any more.
    private func share(_ link: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        let peer = central.links[link].peer
        let users = central.clients.indices.filter { client in
            central.clients[client].wishes.contains { $0.peer == peer && !$0.isConnected }
        }
        guard !users.isEmpty else { return end(link, because: nil, host: host, at: now, into: &actions) }
        let watchful = users.filter { central.clients[$0].request(for: peer)?.notifiesOnConnection ?? false }
        alert(watchful, peer, at: now) { .connected($0, name: $1) }
        for client in users { join(client: client, link: link) }
        for client in central.clients.indices { tellKnown(peer, to: client) }
        tellWatchers(of: peer)
        advance(link, host: host, at: now, into: &actions)
    }

    /// A central has connected to this phone. Apps may share the link: they know the central as a peer, by the same
    /// identifier. The phone itself asks nothing of it.
    func linkCame(
        _ description: ConnectionDescription,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let peer = central.peers.take(description.peerIdentity ?? description.peer)
        let link = central.links.count
        central.links.append(CentralLink(id: description.id, peer: peer, isIncoming: true))
        for client in central.clients.indices {
            tellKnown(peer, to: client)
            if central.clients[client].wishes.contains(where: { $0.peer == peer && !$0.isConnected }) {
                join(client: client, link: link)
            }
        }
        tellWatchers(of: peer)
        proceed(host: host, at: now, into: &actions)
    }

    /// An app shares a connection.
    func join(client: Int, link: Int) {
        let peer = central.links[link].peer
        guard let wish = central.clients[client].wish(for: peer) else { return }
        central.clients[client].wishes[wish].isConnected = true
        central.clients[client].wishes[wish].hasBegun = true
        let name = name(of: peer, for: client)
        let id = central.clients[client].id
        let limits = central.links[link].limits(window: settings.writeWindow)
        tell(.central(.connected(name, central.links[link].linkID, limits)), to: id)
        if central.clients[client].wishes[wish].request.requiresANCS {
            // No phone here has notifications of iOS to share.
            tell(.central(.ancsAuthorization(name, false)), to: id)
        }
    }

    /// Ends a connection, for the apps' sake or for a reason of the phone's own.
    func end(
        _ link: Int,
        because fault: ServiceFault?,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard !central.links[link].isEnding else { return }
        central.links[link].isEnding = true
        central.links[link].fault = fault
        try? host.disconnect(central.links[link].id, at: now, into: &actions)
    }

    func linkLost(
        _ id: ConnectionID,
        _ reason: ControllerError,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = central.link(id) else { return }
        let link = central.links.remove(at: index)
        let bond = host.bonds.first { $0.peer == central.peers[link.peer].address }
        let fault = link.fault(reason, hasKey: bond?.keyAsCentral != nil)
        let watchful = central.clients.indices.filter { client in
            central.clients[client].wishes.contains { wish in
                wish.peer == link.peer && wish.isConnected && !wish.isLeaving && wish.request.notifiesOnDisconnection
            }
        }
        alert(watchful, link.peer, at: now) { .disconnected($0, name: $1) }
        for client in central.clients.indices {
            central.clients[client].seen[link.peer] = nil
            guard let wish = central.clients[client].wish(for: link.peer) else { continue }
            if central.clients[client].wishes[wish].followsEnd {
                central.clients[client].wishes[wish].followsEnd = false
                tellDisconnected(link.peer, client: client, nil, at: now)
            }
            guard central.clients[client].wishes[wish].isConnected else { continue }
            let isWanted = !central.clients[client].wishes[wish].isLeaving
            let reconnects = isWanted && central.clients[client].wishes[wish].request.reconnects
            if reconnects {
                central.clients[client].wishes[wish].isConnected = false
            } else {
                central.clients[client].wishes.remove(at: wish)
            }
            tellDisconnected(
                link.peer,
                client: client,
                isWanted ? fault : nil,
                isReconnecting: reconnects,
                at: now
            )
        }
        // A table that may change without a word is not kept; one that cannot change is, and so is that of a bonded
        // peer, which tells what has changed.
        if (bond != nil) != (central.peers[link.peer].attributes.serviceChanged != nil) {
            central.peers[link.peer].attributes = AttributeCache()
        }
        for client in central.clients.indices { tellKnown(link.peer, to: client) }
        tellWatchersOfLoss(of: link.peer)
        proceed(host: host, at: now, into: &actions)
    }

    func tellDisconnected(
        _ peer: Int,
        client: Int,
        _ fault: ServiceFault?,
        isReconnecting: Bool = false,
        at now: Instant
    ) {
        let time = settings.startOfTime + Double(now.nanoseconds) / 1e9
        let end = Disconnection(fault: fault, time: time, isReconnecting: isReconnecting)
        tell(.central(.disconnected(name(of: peer, for: client), end)), to: central.clients[client].id)
    }

    func mtuChanged(_ id: ConnectionID, _ mtu: Int) {
        guard let link = central.link(id), central.links[link].mtu != mtu else { return }
        central.links[link].mtu = mtu
        tellUsers(of: link, .limitsChanged(central.links[link].limits(window: settings.writeWindow)))
    }

    /// Tells all apps that share a connection.
    func tellUsers(of link: Int, _ news: PeerEvent) {
        for client in central.clients.indices where isUser(client, of: link) { tell(news, on: link, client: client) }
    }

    func tell(_ news: PeerEvent, on link: Int, to id: SessionID) {
        guard let client = central.client(id), isUser(client, of: link) else { return }
        tell(news, on: link, client: client)
    }

    private func tell(_ news: PeerEvent, on link: Int, client: Int) {
        let name = name(of: central.links[link].peer, for: client)
        if news.isAboutAttributes {
            central.clients[client].seen[central.links[link].peer, default: SeenAttributes()].note(news)
        }
        tell(.central(.peer(name, central.links[link].linkID, news)), to: central.clients[client].id)
    }

    /// Whether an app has been told of a connection, and wants it.
    func isUser(_ client: Int, of link: Int) -> Bool {
        let peer = central.links[link].peer
        return central.clients[client].wishes.contains { $0.peer == peer && $0.isConnected && !$0.isLeaving }
    }

    // MARK: Watching

    /// Tells those who watch a peer, or its services, that it is connected.
    func tellWatchers(of peer: Int) {
        guard let link = central.link(to: peer), !central.links[link].isEnding else { return }
        for client in central.clients.indices where !central.clients[client].watched.contains(peer) {
            guard let watch = central.clients[client].watch else { continue }
            let name = name(of: peer, for: client)
            guard
                watch.peers.contains(name) || watch.services.contains(where: central.peers[peer].services.contains)
            else { continue }
            central.clients[client].watched.insert(peer)
            tell(.central(.connectionEvent(name, isConnected: true)), to: central.clients[client].id)
        }
    }

    private func tellWatchersOfLoss(of peer: Int) {
        for client in central.clients.indices where central.clients[client].watched.remove(peer) != nil {
            let name = name(of: peer, for: client)
            tell(.central(.connectionEvent(name, isConnected: false)), to: central.clients[client].id)
        }
    }

    /// A peer has shown who it is, and keeps the names that the apps know it by.
    func learn(identity: DeviceAddress, of peer: Int) {
        names.learn(identity: identity, of: central.peers[peer].address)
        central.peers.learn(identity: identity, of: peer)
    }
}

extension CentralLink {
    func limits(window: Int) -> LinkLimits { LinkLimits(writeWithoutResponse: longestCommand, writeWindow: window) }

    /// Bytes in a write without response. No value is longer than 512. Core 6.0, Vol 3, Part F, 3.2.9.
    var longestCommand: Int { min(mtu - 3, 512) }

    /// Why it ended, for apps that did not want it.
    func fault(_ reason: ControllerError, hasKey: Bool) -> ServiceFault {
        if let fault { return fault }
        // Who has another key does not understand what comes, and says nothing any more.
        if hasKey, !isEncrypted, !isIncoming, reason.isSilence { return .local(.encryptionTimedOut) }
        return .local(LocalFault(loss: reason))
    }

    /// An app is not interested any more. Returns what nobody wants to be sent now.
    @discardableResult
    mutating func dropEverything(of id: SessionID) -> [AttributeHandle] {
        jobs.removeAll { $0.session == id }
        unsent.removeAll { $0.session == id }
        let abandoned = subscribers.filter { $0.value == [id] }.map(\.key).sorted()
        for handle in subscribers.keys { subscribers[handle]?.removeAll { $0 == id } }
        return abandoned
    }

    /// Nobody is there any more to hear what becomes of what an app has asked for. What it wants to be sent stays.
    mutating func dropOrders(of id: SessionID) {
        jobs.removeAll { $0.session == id }
        if current?.session == id { current?.session = nil }
        unsent.removeAll { $0.session == id }
    }
}

extension ControllerError {
    /// Whether nothing was heard of the peer for too long.
    fileprivate var isSilence: Bool { self == .connectionTimeout || self == .linkLayerResponseTimeout }
}
