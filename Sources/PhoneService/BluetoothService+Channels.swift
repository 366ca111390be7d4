import BluetoothValues
import Host
import VirtualTime

/// L2CAP channels: bytes to and fro, and how they end.
extension BluetoothService {
    /// This end of every channel: the peer gets credits back as the app reads.
    var channelOptions: ChannelOptions {
        var options = ChannelOptions(crediting: .whenConsumed)
        options.window = min(max(settings.channelReceiveBuffer / options.mps, 1), 0xFFFF)
        // The apps' bytes wait here. The host needs no more than keeps it busy.
        options.sendBuffer = 2 * options.mtu
        return options
    }

    func perform(
        _ order: AppChannelCommand,
        on id: AppChannelID,
        from session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        // Of a channel that is gone, streams may still have something to say.
        if case .echo = order { return tell(.channel(id, .echo), to: session) }
        guard let index = channels.index(of: id), channels.entries[index].session == session else { return }
        switch order {
        case .send(let bytes):
            channels.entries[index].unsent.append(bytes)
            send(index, host: host, at: now, into: &actions)
        case .consumed(let count):
            host.consume(count, of: channels.entries[index].channel, at: now, into: &actions)
        case .close:
            channels.entries[index].isLeaving = true
            send(index, host: host, at: now, into: &actions)
        case .echo: break
        }
    }

    func handle(_ event: ChannelEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .opened(let description): opened(description, host: host, at: now, into: &actions)
        case .openFailed(let channel, let failure):
            openingFailed(channel, failure, host: host, at: now, into: &actions)
        case .received(let channel, let sdu):
            guard let index = channels.index(of: channel) else { return }
            if channels.entries[index].isLeaving || sdu.isEmpty {
                host.consume(of: channel, at: now, into: &actions)
            } else {
                tell(.channel(channels.entries[index].id, .received(sdu)), to: channels.entries[index].session)
            }
        case .readyToSend(let channel):
            guard let index = channels.index(of: channel) else { return }
            channels.entries[index].isBlocked = false
            send(index, host: host, at: now, into: &actions)
        case .peerReconfigured(let channel, let mtu, let mps):
            guard let index = channels.index(of: channel) else { return }
            channels.entries[index].sduLength = ChannelTable.sduLength(peerMTU: mtu, peerMPS: mps)
        case .closed(let channel, let reason):
            guard let index = channels.index(of: channel) else { return }
            let entry = channels.entries.remove(at: index)
            // Why the phone itself has ended the connection is known better than from the reason.
            let ownFault = central.link(channel.connection).flatMap { central.links[$0].fault }
            tell(.channel(entry.id, .closed(ownFault ?? reason.fault)), to: entry.session)
        case .requested, .reconfigured: break
        }
    }

    /// Gives the host what it has room for. Small writes go together while they wait.
    private func send(_ index: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        var count = 0
        while !channels.entries[index].isBlocked, channels.entries[index].unsent.count > 0 {
            let sdu = channels.entries[index].unsent.prefix(channels.entries[index].sduLength)
            let length = sdu.count
            do {
                guard try host.send(sdu, on: channels.entries[index].channel, at: now, into: &actions) else {
                    channels.entries[index].isBlocked = true
                    break
                }
            } catch {
                // It is closed; the news of that is on its way.
                break
            }
            channels.entries[index].unsent.removeFirst(length)
            count += length
        }
        if count > 0 { tell(.channel(channels.entries[index].id, .sent(count)), to: channels.entries[index].session) }
        if channels.entries[index].isLeaving, channels.entries[index].unsent.count == 0 {
            try? host.closeChannel(channels.entries[index].channel, at: now, into: &actions)
        }
    }

    // MARK: The end

    /// Closes channels at once, and tells the app that they are gone.
    func closeChannels(
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        where isMeant: (ChannelTable.Entry) -> Bool
    ) {
        let gone = channels.entries.filter(isMeant)
        channels.entries.removeAll(where: isMeant)
        for entry in gone {
            tell(.channel(entry.id, .closed(nil)), to: entry.session)
            try? host.closeChannel(entry.channel, discarding: true, at: now, into: &actions)
        }
    }

    /// A manager is gone, and everything it had asked for.
    func closeChannels(of session: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        for published in channels.published where published.session == session {
            host.stopListening(on: published.spsm)
        }
        channels.published.removeAll { $0.session == session }
        channels.openings.removeAll { $0.session == session }
        closeChannels(host: host, at: now, into: &actions) { $0.session == session }
    }

    /// An app has left a connection that others may still use.
    func closeChannels(
        of session: SessionID,
        on connection: ConnectionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        channels.openings.removeAll { $0.session == session && $0.channel.connection == connection }
        closeChannels(host: host, at: now, into: &actions) { entry in
            entry.session == session && entry.channel.connection == connection
        }
    }

    /// The radio cannot be used any more.
    func channelsWentDown() {
        let gone = channels.entries
        channels.entries = []
        channels.openings = []
        for entry in gone { tell(.channel(entry.id, .closed(.local(.notConnected))), to: entry.session) }
    }
}

extension ChannelCloseReason {
    /// What went wrong; nil for an end that somebody wanted.
    fileprivate var fault: ServiceFault? {
        switch self {
        case .closedHere, .closedByPeer, .violation, .disconnected(.connectionTerminatedByLocalHost): nil
        case .disconnected(let reason): .local(LocalFault(loss: reason))
        }
    }
}
