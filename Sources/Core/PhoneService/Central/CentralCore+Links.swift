import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// Connections as they come and go, for all apps that want them.
extension CentralCore {
    /// A peer has answered: all apps that want it are connected.
    mutating func linkMade(_ description: ConnectionDescription, _ turn: inout ServiceTurn) {
        // Of a phone without LE 2M nothing is expected.
        if settings.asksForLE2M { try? turn.host.askForLE2M(description.id, at: turn.now, into: &turn.actions) }
        let identity = description.peerIdentity ?? description.peer
        // It is the peer that was called, whichever address it uses.
        let peer = attempt?.peer ?? self.peer(at: identity, &turn)
        attempt = nil
        if identity != peers[peer].address, peers.index(of: identity) == nil {
            learn(identity: identity, of: peer, &turn)
        }
        let link = links.append(CentralLink(id: description.id, peer: peer))
        let jobs: [LinkJob.Work] = [.exchangeMTU, .findServices, .readName, .watchServices]
        for job in jobs { links[link].add(job, for: nil) }
        share(link, &turn)
        refuseBeyondLimit(&turn)
        proceed(&turn)
    }

    /// Has those that want a new link's peer hear of it; ends the link if no app does any more.
    private mutating func share(_ link: LinkIndex, _ turn: inout ServiceTurn) {
        let peer = links[link].peer
        let users = clients.indices.filter { isWaiting($0, for: peer, turn) }
        guard !users.isEmpty else { return end(link, because: nil, &turn) }
        let watchful = users.filter { clients[$0].request(for: peer)?.notifiesOnConnection ?? false }
        alert(watchful, peer, &turn) { .connected($0, name: $1) }
        for client in users { join(client, link, &turn) }
        emitKnown(peer, &turn)
        emitConnection(of: peer, &turn)
        advance(link, &turn)
    }

    /// Whether an app wants to be connected to a peer by now, its start delay over, and is not.
    private func isWaiting(_ client: ClientIndex, for peer: PeerIndex, _ turn: borrowing ServiceTurn) -> Bool {
        clients[client].pending.contains { $0.peer == peer && !$0.isConnected && $0.start <= turn.now }
    }

    /// A central has connected to this phone. Apps may share the link: they know the central as a peer, by the same
    /// identifier. The phone itself asks nothing of it.
    mutating func linkCame(_ description: ConnectionDescription, _ turn: inout ServiceTurn) {
        let peer = self.peer(at: description.peerIdentity ?? description.peer, &turn)
        let link = links.append(CentralLink(id: description.id, peer: peer, isIncoming: true))
        for client in clients.indices {
            emitKnown(peer, to: client, &turn)
            if isWaiting(client, for: peer, turn) { join(client, link, &turn) }
        }
        emitConnection(of: peer, &turn)
        proceed(&turn)
    }

    /// An app shares a connection. That of a bonded peer which has come by itself, and has not shown its key, may be one of any
    /// device with its address: the app goes on waiting until it has.
    mutating func join(_ client: ClientIndex, _ link: LinkIndex, _ turn: inout ServiceTurn) {
        let peer = links[link].peer
        guard let index = clients[client].pending(to: peer) else { return }
        guard !awaitsProof(link, turn) else { return askForProof(link, &turn) }
        clients[client].pending[index].isConnected = true
        clients[client].pending[index].hasBegun = true
        let name = name(of: peer, for: client, &turn)
        let id = clients[client].id
        let limits = links[link].limits(settings)
        turn.emit(.connected(name, links[link].linkID, limits), to: id)
        if clients[client].pending[index].request.requiresANCS {
            // No phone here has notifications of iOS to share.
            turn.emit(.ancsAuthorization(name, false), to: id)
        }
    }

    func awaitsProof(_ link: LinkIndex, _ turn: borrowing ServiceTurn) -> Bool {
        links[link].isIncoming && turn.host.awaitsProof(on: links[link].id)
    }

    /// As a peripheral, the phone can but ask its central to encrypt the link.
    private mutating func askForProof(_ link: LinkIndex, _ turn: inout ServiceTurn) {
        guard !links[link].isAskedForProof else { return }
        do {
            try turn.host.requestSecurity(links[link].id, at: turn.now, into: &turn.actions)
            links[link].isAskedForProof = true
        } catch {
            // A pairing or an encryption is under way, and will say what has come of it.
        }
    }

    /// The link of a peer that has come by itself is encrypted, or is not after all: those that wait join it, or ask anew.
    mutating func lookAgain(at link: LinkIndex, _ turn: inout ServiceTurn) {
        guard links[link].isIncoming, !links[link].isEnding else { return }
        links[link].isAskedForProof = false
        let peer = links[link].peer
        emitKnown(peer, &turn)
        emitConnection(of: peer, &turn)
        proceed(&turn)
    }

    /// The peer has not answered a request in time.
    mutating func attTimedOut(_ id: ConnectionID, _ turn: inout ServiceTurn) {
        // On a link that the peer has made, an app may be the one that has not answered.
        guard let link = link(id), !links[link].isIncoming else { return }
        end(link, because: .local(.connectionTimeout), &turn)
    }

    /// Ends a connection, for the apps' sake or for a reason of the phone's own.
    mutating func end(_ link: LinkIndex, because fault: ServiceFault?, _ turn: inout ServiceTurn) {
        guard !links[link].isEnding else { return }
        links[link].isEnding = true
        links[link].fault = fault
        try? turn.host.disconnect(links[link].id, at: turn.now, into: &turn.actions)
    }

    mutating func linkLost(_ id: ConnectionID, _ reason: ControllerError, _ turn: inout ServiceTurn) {
        guard let lost = self.link(id) else { return }
        let link = links.remove(at: lost)
        let bond = turn.host.bonds.first { $0.peer == peers[link.peer].address }
        let fault = link.fault(reason, hasKey: bond?.keyAsCentral != nil)
        let watchful = clients.indices.filter { client in
            clients[client].pending.contains {
                $0.peer == link.peer && $0.isConnected && !$0.isLeaving && $0.request.notifiesOnDisconnection
            }
        }
        alert(watchful, link.peer, &turn) { .disconnected($0, name: $1) }
        for client in clients.indices {
            clients[client].seen[link.peer] = nil
            guard let index = clients[client].pending(to: link.peer) else { continue }
            if clients[client].pending[index].followsEnd {
                clients[client].pending[index].followsEnd = false
                emitDisconnected(link.peer, client, nil, &turn)
            }
            guard clients[client].pending[index].isConnected else { continue }
            let isWanted = !clients[client].pending[index].isLeaving
            let reconnects = isWanted && clients[client].pending[index].request.reconnects
            if reconnects {
                clients[client].pending[index].isConnected = false
            } else {
                clients[client].pending.remove(at: index)
            }
            emitDisconnected(link.peer, client, isWanted ? fault : nil, isReconnecting: reconnects, &turn)
        }
        // A table that may change without a word is not kept; one that cannot change is, and so is that of a bonded
        // peer, which reports what has changed.
        if (bond != nil) != (peers[link.peer].attributes.serviceChanged != nil) {
            peers[link.peer].attributes = AttributeCache()
        }
        emitKnown(link.peer, &turn)
        emitLoss(of: link.peer, &turn)
        proceed(&turn)
    }

    mutating func emitDisconnected(
        _ peer: PeerIndex,
        _ client: ClientIndex,
        _ fault: ServiceFault?,
        isReconnecting: Bool = false,
        _ turn: inout ServiceTurn
    ) {
        let time = settings.startOfTime + Double(turn.now.nanoseconds) / 1e9
        let end = Disconnection(fault: fault, time: time, isReconnecting: isReconnecting)
        turn.emit(.disconnected(name(of: peer, for: client, &turn), end), to: clients[client].id)
    }

    mutating func mtuChanged(_ id: ConnectionID, _ mtu: Int, _ turn: inout ServiceTurn) {
        guard let link = link(id), links[link].mtu != mtu else { return }
        links[link].mtu = mtu
        emit(.limitsChanged(links[link].limits(settings)), toUsersOf: link, &turn)
    }

    /// Has all apps that share a connection hear of an event.
    mutating func emit(_ event: PeerEvent, toUsersOf link: LinkIndex, _ turn: inout ServiceTurn) {
        for client in clients.indices where isUser(client, of: link) { emit(event, on: link, client, &turn) }
    }

    mutating func emit(_ event: PeerEvent, on link: LinkIndex, to id: SessionID, _ turn: inout ServiceTurn) {
        guard let client = client(id), isUser(client, of: link) else { return }
        emit(event, on: link, client, &turn)
    }

    private mutating func emit(
        _ event: PeerEvent,
        on link: LinkIndex,
        _ client: ClientIndex,
        _ turn: inout ServiceTurn
    ) {
        let name = name(of: links[link].peer, for: client, &turn)
        if event.isAboutAttributes {
            clients[client].seen[links[link].peer, default: SeenAttributes()].note(event)
        }
        turn.emit(.peer(name, links[link].linkID, event), to: clients[client].id)
    }

    /// Whether an app has heard of a connection, and wants it.
    func isUser(_ client: ClientIndex, of link: LinkIndex) -> Bool {
        let peer = links[link].peer
        return clients[client].pending.contains { $0.peer == peer && $0.isConnected && !$0.isLeaving }
    }

    // MARK: Watching

    /// Has those that watch a peer, or its services, hear that it is connected.
    mutating func emitConnection(of peer: PeerIndex, _ turn: inout ServiceTurn) {
        guard let link = link(to: peer), !links[link].isEnding, !awaitsProof(link, turn) else { return }
        for client in clients.indices where !clients[client].watched.contains(peer) {
            guard let watch = clients[client].watch else { continue }
            let name = name(of: peer, for: client, &turn)
            guard
                watch.peers.contains(name) || watch.services.contains(where: peers[peer].services.contains)
            else { continue }
            clients[client].watched.insert(peer)
            turn.emit(.connectionEvent(name, isConnected: true), to: clients[client].id)
        }
    }

    private mutating func emitLoss(of peer: PeerIndex, _ turn: inout ServiceTurn) {
        for client in clients.indices where clients[client].watched.remove(peer) != nil {
            let name = name(of: peer, for: client, &turn)
            turn.emit(.connectionEvent(name, isConnected: false), to: clients[client].id)
        }
    }

    /// A peer has shown who it is, and keeps the names that the apps know it by.
    mutating func learn(identity: DeviceAddress, of peer: PeerIndex, _ turn: inout ServiceTurn) {
        turn.clients.names.learn(identity: identity, of: peers[peer].address)
        peers.learn(identity: identity, of: peer)
    }
}
