import BluetoothValues
import Host
import VirtualTime

/// What apps want of a connected peer. Everything that the peer's server has to answer is asked for one after the other,
/// in the order in which it was wanted.
extension BluetoothService {
    func perform(
        _ order: PeerCommand,
        on linkID: LinkID,
        _ peer: PeerID,
        from id: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let client = central.client(id), let peer = peerIndex(of: peer), let link = central.link(to: peer),
            central.links[link].linkID == linkID, !central.links[link].isEnding, isUser(client, of: link)
        else { return }
        switch order {
        case .writeWithoutResponse(let handle, let value):
            let write = UnsentWrite(session: id, handle: handle, value: value)
            if value.count > central.links[link].longestCommand {
                note(
                    "API MISUSE: a write without response was longer than the connection allows: dropped",
                    of: id,
                    at: now
                )
                tell(.writesSent(1), on: link, to: id)
            } else if central.links[link].unsent.isEmpty,
                send(write, on: link, host: host, at: now, into: &actions)
            {
                tellSent(1, on: link, to: id)
            } else {
                central.links[link].unsent.append(write)
            }
        case .readRSSI:
            do {
                try host.readRSSI(central.links[link].id, at: now, into: &actions)
                central.links[link].strengthRequests.append(id)
            } catch {
                tell(.signalStrength(.failure(.local(.operationNotSupported))), on: link, to: id)
            }
        case .openChannel(let psm): openChannel(psm, on: link, for: id, host: host, at: now, into: &actions)
        case .startChannelSounding: tell(.channelSoundingEnded(.local(.operationNotSupported)), on: link, to: id)
        default:
            central.links[link].jobs.append(LinkJob(work: .order(order), session: id))
            advance(link, host: host, at: now, into: &actions)
        }
    }

    func answerStrength(_ id: ConnectionID, _ result: Result<SignalStrength, ServiceFault>) {
        guard let link = central.link(id), !central.links[link].strengthRequests.isEmpty else { return }
        tell(.signalStrength(result), on: link, to: central.links[link].strengthRequests.removeFirst())
    }

    /// The host has room again.
    func sendUnsent(_ id: ConnectionID, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let link = central.link(id) else { return }
        var count = 0
        for write in central.links[link].unsent {
            guard send(write, on: link, host: host, at: now, into: &actions) else { break }
            tellSent(1, on: link, to: write.session)
            count += 1
        }
        central.links[link].unsent.removeFirst(count)
    }

    /// False if the host has no room. What it will never take is lost, as on the air.
    private func send(
        _ write: UnsentWrite,
        on link: Int,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) -> Bool {
        let id = central.links[link].id
        return (try? host.writeCommand(write.value, id, write.handle, at: now, into: &actions)) ?? true
    }

    /// Many writes that leave at once are one piece of news.
    private func tellSent(_ count: Int, on link: Int, to id: SessionID) {
        guard !addToLastNews(sent: count, central.links[link].linkID, to: id) else { return }
        tell(.writesSent(count), on: link, to: id)
    }

    /// The peer has sent a value by itself.
    func notified(_ id: ConnectionID, _ handle: AttributeHandle, _ value: [UInt8], at now: Instant) {
        guard let link = central.link(id) else { return }
        let peer = central.links[link].peer
        if handle == central.peers[peer].attributes.serviceChanged { return tableChanged(link, value) }
        let sessions = central.links[link].subscribers[handle] ?? []
        if central.clients.contains(where: { $0.request(for: peer)?.notifiesOnNotification ?? false }) {
            let watchful = sessions.compactMap(central.client).filter { client in
                central.clients[client].request(for: peer)?.notifiesOnNotification ?? false
            }
            alert(watchful, peer, at: now) { .notification($0, name: $1) }
        }
        for session in sessions {
            tell(.value(handle, .success(value)), on: link, to: session)
        }
    }

    /// Core 6.0, Vol 3, Part G, 7.1: the first and the last handle that are affected.
    private func tableChanged(_ link: Int, _ value: [UInt8]) {
        guard value.count == 4,
            let first = AttributeHandle(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8),
            let last = AttributeHandle(rawValue: UInt16(value[2]) | UInt16(value[3]) << 8), first <= last
        else { return }
        let peer = central.links[link].peer
        let gone = central.peers[peer].attributes.invalidate(first...last)
        for handle in central.links[link].subscribers.keys where (first...last).contains(handle) {
            central.links[link].subscribers[handle] = nil
        }
        tellUsers(of: link, .servicesInvalidated(gone))
        let jobs: [LinkJob.Work] = [.findServices, .watchServices]
        central.links[link].jobs += jobs.map { LinkJob(work: $0, session: nil) }
    }
}
