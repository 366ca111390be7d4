import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// Which peers a phone forgets. One radio can change its address without end, and must not fill the phone's memory.
extension CentralCore {
    /// The peer that was heard under an address, or has connected. At the limit a new one replaces a silent one that is not needed. An app that
    /// knew the old one discovers it again when it is heard; until then a connection to it fails with `unknownDevice`.
    mutating func peer(at address: DeviceAddress, _ turn: inout ServiceTurn) -> PeerIndex {
        if let known = peers.index(of: address) { return known }
        guard peers.all.count >= settings.knownPeers, let silent = silentPeer(turn) else {
            return peers.insert(address)
        }
        for client in clients.indices {
            guard let name = clients[client].forget(silent) else { continue }
            turn.emit(.peerForgotten(name), to: clients[client].id)
        }
        // What an app names follows from the address, for one that only publishes something, too.
        for session in turn.clients.sessions.all {
            guard let app = turn.clients.sessions.app(of: session) else { continue }
            turn.clients.names.forget(turn.name(of: peers[silent].address, for: app))
        }
        peers.replace(silent, with: address)
        return silent
    }

    /// The peer that was not heard for longest, of some that come next: to look at all would take long. Nil if all are needed.
    private mutating func silentPeer(_ turn: borrowing ServiceTurn) -> PeerIndex? {
        var silent: PeerIndex?
        for _ in 0..<Self.looks {
            guard let peer = peers.next(), !isNeeded(peer, turn) else { continue }
            if let other = silent, peers[other].lastHeard <= peers[peer].lastHeard { continue }
            silent = peer
        }
        return silent
    }

    private static let looks = 16

    private func isNeeded(_ peer: PeerIndex, _ turn: borrowing ServiceTurn) -> Bool {
        peers[peer].hasIdentity || attempt?.peer == peer || link(to: peer) != nil
            || clients.contains { $0.pending(to: peer) != nil || $0.watched.contains(peer) }
            || turn.host.bonds.contains { $0.peer == peers[peer].address }
    }
}
