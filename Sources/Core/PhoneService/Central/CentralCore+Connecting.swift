import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// The making of connections. Apps may want any number at once, for as long as they like; the host looks for one at a
/// time. A single peer is called until it comes. Of several that are wanted, each is called when it has been heard.
extension CentralCore {
    /// How long a peer is called that was just heard.
    private static let attemptLength = TimeSpan.seconds(4)

    /// An app wants to be connected.
    mutating func connect(
        _ peer: PeerIndex,
        _ request: ConnectRequest,
        _ client: ClientIndex,
        _ turn: inout ServiceTurn
    ) {
        if isFull, link(to: peer) == nil {
            let name = name(of: peer, for: client, &turn)
            return turn.emit(.connectFailed(name, .local(.connectionLimitReached)), to: clients[client].id)
        }
        var followsEnd = false
        if let index = clients[client].pending(to: peer) {
            clients[client].pending[index].request = request
            guard clients[client].pending[index].isLeaving else { return }
            // Wanted anew while the connection that there was is being ended.
            clients[client].pending.remove(at: index)
            followsEnd = true
        }
        pendingCount += 1
        let delay = TimeSpan.microseconds(Int64(max(0, min(request.startDelay, 1e9)) * 1e6))
        var pending = PendingConnection(
            peer: peer,
            request: request,
            number: pendingCount,
            start: turn.now + delay
        )
        pending.followsEnd = followsEnd
        clients[client].pending.append(pending)
        // Another app is connected already.
        if let link = link(to: peer), !links[link].isEnding, delay == .zero { join(client, link, &turn) }
    }

    /// The connection that an app leaves if it wants a peer no longer; nil if it has none, or has left it already.
    func connection(leftBy client: ClientIndex, _ peer: PeerIndex, isReported: Bool) -> ConnectionID? {
        guard let index = clients[client].pending(to: peer) else { return nil }
        let pending = clients[client].pending[index]
        guard !(pending.followsEnd && isReported), pending.isConnected, !pending.isLeaving else { return nil }
        return link(to: peer).map { links[$0].id }
    }

    /// An app wants to be connected no longer. `isReported`: it hears that the connection has ended.
    mutating func leave(
        _ peer: PeerIndex,
        _ client: ClientIndex,
        isReported: Bool,
        _ turn: inout ServiceTurn
    ) {
        // Where nothing is pending, the app has heard already that it has ended.
        guard let index = clients[client].pending(to: peer) else { return }
        if clients[client].pending[index].followsEnd, isReported {
            // There is the end to wait for that was under way before.
            clients[client].pending[index].followsEnd = false
            clients[client].pending[index].isConnected = true
            clients[client].pending[index].isLeaving = true
            return
        }
        let isConnected = clients[client].pending[index].isConnected
        guard isConnected, let link = link(to: peer) else {
            clients[client].pending.remove(at: index)
            if isReported { emitDisconnected(peer, client, nil, &turn) }
            return
        }
        guard !clients[client].pending[index].isLeaving else { return }
        let session = clients[client].id
        let abandoned = links[link].dropEverything(of: session)
        dropOpenings(of: session, on: links[link].id)
        let isShared =
            links[link].isIncoming
            || clients.indices.contains { other in
                other != client && isUser(other, of: link)
            }
        if isShared || !isReported {
            clients[client].pending.remove(at: index)
            if isReported { emitDisconnected(peer, client, nil, &turn) }
        } else {
            clients[client].pending[index].isLeaving = true
        }
        if isShared {
            for handle in abandoned { links[link].add(.unsubscribe(handle), for: nil) }
            advance(link, &turn)
        } else {
            end(link, because: nil, &turn)
        }
    }

    /// Connects to peers that are wanted.
    mutating func updateAttempt(_ turn: inout ServiceTurn) {
        for client in clients.indices {
            for index in clients[client].pending.indices where clients[client].pending[index].start <= turn.now {
                clients[client].pending[index].hasBegun = true
                // What was to wait is wanted now, and another app may be connected.
                let peer = clients[client].pending[index].peer
                if !clients[client].pending[index].isConnected, let link = link(to: peer), !links[link].isEnding {
                    join(client, link, &turn)
                }
            }
        }
        let wanted = wantedPeers(at: turn.now)
        if let attempt {
            guard !attempt.isCancelled, !wanted.contains(attempt.peer) || attempt.isOpenEnded && wanted.count > 1
            else { return }
            self.attempt?.isCancelled = true
            try? turn.host.cancelConnect(at: turn.now, into: &turn.actions)
        } else if wanted.count == 1, retry == nil {
            beginAttempt(wanted[0], isOpenEnded: true, &turn)
        }
    }

    mutating func beginAttempt(_ peer: PeerIndex, isOpenEnded: Bool, _ turn: inout ServiceTurn) {
        // A peer that did not hear it is called again, and the apps notice nothing.
        var parameters = ConnectParameters(connection: settings.connectionRange, untilAnswered: true)
        if !isOpenEnded { parameters.timeout = Self.attemptLength }
        do {
            try turn.host.connect(to: peers[peer].address, parameters, at: turn.now, into: &turn.actions)
            attempt = ConnectionAttempt(peer: peer, isOpenEnded: isOpenEnded)
        } catch {
            retry = turn.now + .milliseconds(100)
        }
    }

    /// The host has given up.
    mutating func connectFailed(_ failure: ConnectFailure, _ turn: inout ServiceTurn) {
        guard let ended = attempt else { return proceed(&turn) }
        attempt = nil
        switch failure {
        case .cancelled, .timeout, .controllerFailed: break
        case .refused(.connectionFailedToBeEstablished), .refused(.advertisingTimeout):
            // The peer was there and is gone again; it is waited for as before.
            break
        case .refused(let error):
            let fault = LocalFault(failureToConnect: error)
            for client in clients.indices {
                guard let index = clients[client].pending(to: ended.peer) else { continue }
                clients[client].pending.remove(at: index)
                let name = name(of: ended.peer, for: client, &turn)
                turn.emit(.connectFailed(name, .local(fault)), to: clients[client].id)
            }
        }
        proceed(&turn)
    }

    /// Whether the phone has as many connections as its kind may have.
    private var isFull: Bool { settings.kind.connectionLimit.map { links.count >= $0 } ?? false }

    /// A connection was made, perhaps the last that there may be: whoever waits for another hears that there is none.
    mutating func refuseBeyondLimit(_ turn: inout ServiceTurn) {
        guard isFull else { return }
        for client in clients.indices {
            let waiting = clients[client].pending.filter { !$0.isConnected && link(to: $0.peer) == nil }.map(\.peer)
            for peer in waiting { refuse(peer, client, .connectionLimitReached, &turn) }
        }
    }

    /// An app does not get a connection that it waits for.
    private mutating func refuse(
        _ peer: PeerIndex,
        _ client: ClientIndex,
        _ fault: LocalFault,
        _ turn: inout ServiceTurn
    ) {
        guard let index = clients[client].pending(to: peer) else { return }
        clients[client].pending.remove(at: index)
        turn.emit(.connectFailed(name(of: peer, for: client, &turn), .local(fault)), to: clients[client].id)
    }

    /// The system of a watch or a television ends what an app has, and what it waits for.
    mutating func endConnections(of id: SessionID, _ turn: inout ServiceTurn) {
        guard let client = client(id) else { return }
        for peer in clients[client].pending.map(\.peer) {
            guard let index = clients[client].pending(to: peer), !clients[client].pending[index].isLeaving else {
                continue
            }
            guard clients[client].pending[index].isConnected, let link = link(to: peer) else {
                refuse(peer, client, .operationCancelled, &turn)
                continue
            }
            clients[client].pending[index].request.reconnects = false
            let isShared = clients.indices.contains { $0 != client && isUser($0, of: link) }
            if isShared {
                let abandoned = links[link].dropEverything(of: id)
                dropOpenings(of: id, on: links[link].id)
                clients[client].pending.remove(at: index)
                emitDisconnected(peer, client, .local(.operationCancelled), &turn)
                for handle in abandoned { links[link].add(.unsubscribe(handle), for: nil) }
                advance(link, &turn)
            } else {
                end(link, because: .local(.operationCancelled), &turn)
            }
        }
        proceed(&turn)
    }

    /// The peers that apps want to be connected to and are not, the longest wanted first.
    func wantedPeers(at now: Instant) -> [PeerIndex] {
        // Asked after each change; mostly nothing is wanted.
        guard clients.contains(where: { $0.pending.contains { !$0.isConnected } }) else { return [] }
        var found: Set<PeerIndex> = []
        let waiting = clients.flatMap(\.pending).filter { !$0.isConnected && $0.start <= now }
        return waiting.sorted { $0.number < $1.number }.map(\.peer).filter { peer in
            link(to: peer) == nil && found.insert(peer).inserted
        }
    }
}
