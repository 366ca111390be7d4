import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// L2CAP channels of apps that are open: bytes in both directions, and how they end; and the numbers under which
/// peripheral managers accept channels.
struct AppChannels {
    /// In the order in which they were opened.
    private var channels = Table<AppChannel>()
    private var published: [PublishedPSM] = []
    private var count: UInt32 = 0
    private let shared: SharedPhoneSettings

    /// A number that an app has published.
    private struct PublishedPSM {
        let spsm: SPSM
        let session: SessionID
    }

    init(_ shared: SharedPhoneSettings) { self.shared = shared }

    private var settings: PhoneSettings { shared.settings }

    private func index(of channel: L2CAPChannelID) -> TableIndex<AppChannel>? {
        channels.firstIndex { $0.channel == channel }
    }

    // MARK: Commands

    mutating func perform(
        _ command: AppChannelCommand,
        on id: AppChannelID,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) {
        // Streams of a channel that has ended may still wait for this.
        if case .echo = command { return turn.emit(.channel(id, .echo), to: session) }
        guard let index = channels.firstIndex(where: { $0.id == id && $0.session == session }) else { return }
        switch command {
        case .send(let bytes):
            channels[index].unsent.append(bytes)
            send(index, &turn)
        case .consumed(let count):
            turn.host.consume(count, of: channels[index].channel, at: turn.now, into: &turn.actions)
        case .close:
            channels[index].isClosing = true
            send(index, &turn)
        case .echo: break
        }
    }

    /// Finds a number for a service.
    mutating func publish(requiresEncryption: Bool, of session: SessionID, _ turn: inout ServiceTurn) {
        let options = ChannelListenerOptions(
            channel: settings.channelOptions,
            access: requiresEncryption ? .encrypted : .open
        )
        do {
            let spsm = try turn.host.listen(options)
            published.append(PublishedPSM(spsm: spsm, session: session))
            turn.emit(.channelPublished(psm: spsm.rawValue, nil), to: session)
        } catch {
            turn.emit(.channelPublished(psm: 0, .local(.outOfSpace)), to: session)
        }
    }

    mutating func unpublish(_ psm: UInt16, of session: SessionID, _ turn: inout ServiceTurn) {
        let found = published.firstIndex { $0.spsm.rawValue == psm && $0.session == session }
        guard let found else {
            return turn.emit(.channelUnpublished(psm: psm, .local(.invalidParameters)), to: session)
        }
        turn.host.stopListening(on: published.remove(at: found).spsm)
        close(&turn) { $0.isIncoming && $0.psm == psm }
        turn.emit(.channelUnpublished(psm: psm, nil), to: session)
    }

    // MARK: Events of the host

    /// The app that has published the number of a channel that a peer has opened.
    func publisher(of spsm: SPSM) -> SessionID? { published.first { $0.spsm == spsm }?.session }

    /// A channel is an app's from now on.
    mutating func add(_ description: ChannelDescription, for session: SessionID) -> OpenChannel {
        count += 1
        let channel = AppChannel(description, id: AppChannelID(number: count), session: session)
        channels.append(channel)
        return OpenChannel(id: channel.id, psm: channel.psm, sendBuffer: max(settings.channelSendBuffer, 1))
    }

    mutating func received(_ sdu: [UInt8], on channel: L2CAPChannelID, _ turn: inout ServiceTurn) {
        guard let index = index(of: channel) else { return }
        if channels[index].isClosing || sdu.isEmpty {
            turn.host.consume(of: channel, at: turn.now, into: &turn.actions)
        } else {
            turn.emit(.channel(channels[index].id, .received(sdu)), to: channels[index].session)
        }
    }

    mutating func readyToSend(_ channel: L2CAPChannelID, _ turn: inout ServiceTurn) {
        guard let index = index(of: channel) else { return }
        channels[index].isBlocked = false
        send(index, &turn)
    }

    mutating func peerReconfigured(_ channel: L2CAPChannelID, mtu: Int, mps: Int) {
        guard let index = index(of: channel) else { return }
        channels[index].sduLength = AppChannel.sduLength(peerMTU: mtu, peerMPS: mps)
    }

    /// A channel has ended. `ownFault`: why the phone itself has ended the connection, which it knows better than from
    /// the reason.
    mutating func closed(
        _ channel: L2CAPChannelID,
        _ reason: ChannelCloseReason,
        ownFault: ServiceFault?,
        _ turn: inout ServiceTurn
    ) {
        guard let index = index(of: channel) else { return }
        let entry = channels.remove(at: index)
        turn.emit(.channel(entry.id, .closed(ownFault ?? reason.fault)), to: entry.session)
    }

    /// Gives the host what it has room for. Small writes go together while they wait.
    private mutating func send(_ index: TableIndex<AppChannel>, _ turn: inout ServiceTurn) {
        var count = 0
        while !channels[index].isBlocked, channels[index].unsent.count > 0 {
            let sdu = channels[index].unsent.prefix(channels[index].sduLength)
            let length = sdu.count
            do {
                guard try turn.host.send(sdu, on: channels[index].channel, at: turn.now, into: &turn.actions) else {
                    channels[index].isBlocked = true
                    break
                }
            } catch {
                // It is closed; the event that says so follows.
                break
            }
            channels[index].unsent.removeFirst(length)
            count += length
        }
        if count > 0 { turn.emit(.channel(channels[index].id, .sent(count)), to: channels[index].session) }
        if channels[index].isClosing, channels[index].unsent.count == 0 {
            try? turn.host.closeChannel(channels[index].channel, at: turn.now, into: &turn.actions)
        }
    }

    // MARK: The end

    /// A manager is gone, and everything it had asked for.
    mutating func close(of session: SessionID, _ turn: inout ServiceTurn) {
        for published in published where published.session == session {
            turn.host.stopListening(on: published.spsm)
        }
        published.removeAll { $0.session == session }
        close(&turn) { $0.session == session }
    }

    /// An app has left a connection that others may still use.
    mutating func close(of session: SessionID, on connection: ConnectionID, _ turn: inout ServiceTurn) {
        close(&turn) { $0.session == session && $0.channel.connection == connection }
    }

    /// Closes channels at once, and has the apps hear that they are gone.
    private mutating func close(_ turn: inout ServiceTurn, where isMeant: (AppChannel) -> Bool) {
        let gone = channels.filter(isMeant)
        channels.removeAll(where: isMeant)
        for channel in gone {
            turn.emit(.channel(channel.id, .closed(nil)), to: channel.session)
            try? turn.host.closeChannel(channel.channel, discarding: true, at: turn.now, into: &turn.actions)
        }
    }

    /// The radio cannot be used any more.
    mutating func wentDown(_ turn: inout ServiceTurn) {
        let gone = channels
        channels.removeAll()
        for channel in gone {
            turn.emit(.channel(channel.id, .closed(.local(.notConnected))), to: channel.session)
        }
    }

    /// The state is below off: nothing is published any more.
    mutating func forgetPublished(_ turn: inout ServiceTurn) {
        for published in published { turn.host.stopListening(on: published.spsm) }
        published = []
    }
}

extension PhoneSettings {
    /// This end of every channel: the peer gets credits back as the app reads.
    var channelOptions: ChannelOptions {
        var options = ChannelOptions(crediting: .whenConsumed)
        options.window = min(max(channelReceiveBuffer / options.mps, 1), 0xFFFF)
        // The apps' bytes wait here. The host needs no more than keeps it busy.
        options.sendBuffer = 2 * options.mtu
        return options
    }
}

extension ChannelCloseReason {
    /// What went wrong; nil for an end that one of the two sides wanted.
    fileprivate var fault: ServiceFault? {
        switch self {
        case .closedHere, .closedByPeer, .violation, .disconnected(.connectionTerminatedByLocalHost): nil
        case .disconnected(let reason): .local(LocalFault(loss: reason))
        }
    }
}
