import BluethroatBluetoothValues
import BluethroatHost

/// What apps want of a connected peer. Everything that the peer's server has to answer is asked for one after the other,
/// in the order in which it was wanted. Writes without response keep their place among what their app orders.
extension CentralCore {
    mutating func perform(
        _ command: PeerCommand,
        on linkID: LinkID,
        _ peer: PeerID,
        from id: SessionID,
        _ turn: inout ServiceTurn
    ) {
        guard let client = client(id), let peer = peerIndex(of: peer, turn.clients.names), let link = link(to: peer),
            links[link].linkID == linkID, !links[link].isEnding, isUser(client, of: link)
        else { return }
        switch command {
        case .writeWithoutResponse(let handle, let value):
            if value.count > links[link].longestCommand {
                turn.note(
                    .valueTooLong,
                    "API MISUSE: a write without response was longer than the connection allows: dropped",
                    of: id
                )
                emit(.writesSent(1), on: link, to: id, &turn)
            } else {
                links[link].addWrite(value, to: handle, for: id)
                sendWrites(on: link, &turn)
            }
        case .readRSSI:
            do {
                try turn.host.readRSSI(links[link].id, at: turn.now, into: &turn.actions)
                links[link].strengthRequests.append(id)
            } catch {
                emit(.signalStrength(.failure(.local(.operationNotSupported))), on: link, to: id, &turn)
            }
        case .openChannel(let psm): openChannel(psm, on: link, for: id, &turn)
        case .startChannelSounding: emit(.channelSoundingEnded(.local(.operationNotSupported)), on: link, to: id, &turn)
        case .discoverServices, .discoverIncludedServices, .discoverCharacteristics, .discoverDescriptors, .read,
            .readDescriptor, .write, .writeDescriptor, .setNotifying:
            links[link].add(.command(command), for: id)
            advance(link, &turn)
        }
    }

    /// The signal strength was read, or could not be.
    mutating func signalStrength(
        _ id: ConnectionID,
        _ result: Result<SignalStrength, ServiceFault>,
        _ turn: inout ServiceTurn
    ) {
        guard let link = link(id), !links[link].strengthRequests.isEmpty else { return }
        emit(.signalStrength(result), on: link, to: links[link].strengthRequests.removeFirst(), &turn)
    }

    /// The host has room again.
    mutating func readyToSend(_ id: ConnectionID, _ turn: inout ServiceTurn) {
        guard let link = link(id) else { return }
        links[link].hostIsReady()
        advance(link, &turn)
    }

    /// Sends writes without response that have waited, as far as the host has room. What it will never take is lost, as
    /// on the air.
    mutating func sendWrites(on link: LinkIndex, _ turn: inout ServiceTurn) {
        guard !links[link].unsent.isEmpty else { return }
        let id = links[link].id
        var senders: [SessionID] = []
        links[link].sendWrites { write in
            do throws(OrderError) {
                guard try turn.host.writeCommand(write.value, id, write.handle, at: turn.now, into: &turn.actions)
                else { return false }
            } catch .noSuchConnection {
                // The app hears that the connection is lost, not that there is room on it.
                return true
            } catch {}
            senders.append(write.session)
            return true
        }
        for session in senders { emitSent(1, on: link, to: session, &turn) }
    }

    /// Many writes that leave at once are one event.
    private mutating func emitSent(_ count: Int, on link: LinkIndex, to id: SessionID, _ turn: inout ServiceTurn) {
        guard !turn.clients.sessions.addToLastEvent(sent: count, links[link].linkID, to: id) else { return }
        emit(.writesSent(count), on: link, to: id, &turn)
    }

    /// The peer has sent a value by itself.
    mutating func notified(
        _ id: ConnectionID,
        _ handle: AttributeHandle,
        _ value: [UInt8],
        _ turn: inout ServiceTurn
    ) {
        guard let link = link(id) else { return }
        let peer = links[link].peer
        if handle == peers[peer].attributes.serviceChanged { return tableChanged(link, value, &turn) }
        let sessions = links[link].listeners(to: handle)
        if clients.contains(where: { $0.request(for: peer)?.notifiesOnNotification ?? false }) {
            let watchful = sessions.compactMap { client($0) }.filter { client in
                clients[client].request(for: peer)?.notifiesOnNotification ?? false
            }
            alert(watchful, peer, &turn) { .notification($0, name: $1) }
        }
        for session in sessions {
            emit(.value(handle, .success(value)), on: link, to: session, &turn)
        }
    }

    /// Core 6.0, Vol 3, Part G, 7.1: the first and the last handle that are affected.
    private mutating func tableChanged(_ link: LinkIndex, _ value: [UInt8], _ turn: inout ServiceTurn) {
        guard value.count == 4,
            let first = AttributeHandle(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8),
            let last = AttributeHandle(rawValue: UInt16(value[2]) | UInt16(value[3]) << 8), first <= last
        else { return }
        let peer = links[link].peer
        // Where the service with the Device Name has changed by itself, the name may be another.
        let isWhole = last == .last
        let mayBeRenamed =
            !isWhole
            && peers[peer].attributes.services.contains { service in
                service.uuid == .genericAccess && (first...last).contains(service.handles.lowerBound)
            }
        let gone = peers[peer].attributes.invalidate(first...last)
        for handle in links[link].subscribers.keys where (first...last).contains(handle) {
            links[link].subscribers[handle] = nil
        }
        // A peer can say so without end, and need not answer what it is asked meanwhile. What waits to be asked finds all changes.
        guard !links[link].isToFindServices else {
            if !gone.isEmpty { emit(.servicesInvalidated(gone), toUsersOf: link, &turn) }
            if mayBeRenamed { links[link].add(.readName, for: nil) }
            return
        }
        emit(.servicesInvalidated(gone), toUsersOf: link, &turn)
        let jobs: [LinkJob.Work] =
            mayBeRenamed ? [.findServices, .readName, .watchServices] : [.findServices, .watchServices]
        for job in jobs { links[link].add(job, for: nil) }
        // At once, whether or not an app asks for something.
        advance(link, &turn)
    }
}
