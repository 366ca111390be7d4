import Host
import VirtualTime

/// What is kept for managers whose app the system has ended: they go on without a client, until the app is there again
/// and makes a manager of the same name.
extension BluetoothService {
    /// Restoration is for apps that run in the background; others are told that they ask in vain.
    func restorable(
        _ description: SessionDescription,
        _ id: SessionID,
        of app: AppID,
        at now: Instant
    ) -> SessionDescription {
        guard description.restoreIdentifier != nil,
            !record(of: app).modes.contains(BackgroundModes(of: description.role))
        else { return description }
        let (name, mode) =
            description.role == .central
            ? ("CBCentralManager", "bluetooth-central") : ("CBPeripheralManager", "bluetooth-peripheral")
        note(
            "State restoration of \(name) is only allowed for applications that have specified the \"\(mode)\" "
                + "background mode",
            of: id,
            app,
            at: now
        )
        var description = description
        description.restoreIdentifier = nil
        return description
    }

    /// An app is ended: keeps what one of its managers wanted. False if nobody wants that.
    func keep(_ id: SessionID, host: Host, at now: Instant, into actions: inout HostActions) -> Bool {
        guard let index = sessions.firstIndex(where: { $0.id == id }), radio == .poweredOn,
            sessions[index].description.restoreIdentifier != nil,
            record(of: sessions[index].app).authorization == .allowedAlways
        else { return false }
        // What an earlier launch did not fetch is kept as it was.
        guard sessions[index].client != nil else { return true }
        closeChannels(of: id, host: host, at: now, into: &actions)
        sessions[index].client = nil
        sessions[index].news = []
        switch sessions[index].description.role {
        case .central: sessions[index].kept = .central(keepCentral(id))
        case .peripheral:
            refuseAll(of: id, host: host, at: now, into: &actions)
            sessions[index].kept = .peripheral(keepPeripheral(id, host: host))
        }
        return true
    }

    /// A manager is made whose name something was kept for. It hears of that first, then of the radio, then of what has
    /// happened meanwhile.
    func comesBack(_ client: SessionID, _ description: SessionDescription, of app: AppID) -> Bool {
        guard let identifier = description.restoreIdentifier,
            let index = sessions.firstIndex(where: { session in
                session.app == app && session.client == nil && session.description.role == description.role
                    && session.description.restoreIdentifier == identifier
            }), let kept = sessions[index].kept
        else { return false }
        let id = sessions[index].id
        let meanwhile = sessions[index].news
        sessions[index].client = client
        sessions[index].kept = nil
        sessions[index].news = []
        switch kept {
        case .central(let restoration):
            if let client = central.client(id) {
                for peer in central.peers.all.indices { tellKnown(peer, to: client) }
            }
            tell(.central(.restored(restoration)), to: id)
        case .peripheral(let restoration):
            tell(.peripheral(.updateWindow(settings.updateWindow)), to: id)
            tell(.peripheral(.restored(restoration)), to: id)
        }
        sessions[index].state = nil
        tellState(index)
        sessions[index].news += meanwhile
        if !sessions.contains(where: { $0.app == app && $0.client == nil }) { apps[self.index(of: app)].discard = nil }
        return true
    }

    /// Gives up what was kept for apps.
    func discardKept(host: Host, at now: Instant, into actions: inout HostActions, of isMeant: (AppID) -> Bool) {
        for session in sessions.filter({ $0.client == nil && isMeant($0.app) }) {
            end(session.id, host: host, at: now, into: &actions)
        }
    }

    /// An app may use Bluetooth no longer; its managers stay.
    func dropEverything(of id: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        closeChannels(of: id, host: host, at: now, into: &actions)
        closePeripheral(id, host: host, at: now, into: &actions)
        guard let client = central.client(id) else { return }
        leaveAll(client, host: host, at: now, into: &actions)
        central.clients[client].scan = nil
        central.clients[client].watch = nil
        proceed(host: host, at: now, into: &actions)
    }

    // MARK: What is kept

    private func keepCentral(_ id: SessionID) -> CentralRestoration {
        guard let client = central.client(id) else { return CentralRestoration() }
        central.clients[client].watch = nil
        for link in central.links.indices { central.links[link].dropOrders(of: id) }
        central.clients[client].wishes.removeAll { $0.isLeaving }
        let wishes = central.clients[client].wishes.sorted { $0.number < $1.number }
        return CentralRestoration(
            peers: wishes.map { wish in keep(wish, of: client, id) },
            scan: central.clients[client].scan
        )
    }

    private func keep(_ wish: Wish, of client: Int, _ id: SessionID) -> CentralRestoration.Peer {
        var kept = CentralRestoration.Peer(summary: summary(of: wish.peer, for: client))
        guard wish.isConnected, let link = central.link(to: wish.peer) else { return kept }
        kept.link = central.links[link].linkID
        kept.limits = central.links[link].limits(window: settings.writeWindow)
        kept.services = central.clients[client].found(in: central.peers[wish.peer].attributes, of: wish.peer)
        let subscribers = central.links[link].subscribers
        kept.notifying = subscribers.keys.filter { subscribers[$0]?.contains(id) ?? false }.sorted()
        return kept
    }

    private func keepPeripheral(_ id: SessionID, host: Host) -> PeripheralRestoration {
        let published = peripheral.published.filter { $0.session == id }
        var subscriptions: [PeripheralRestoration.Subscriber] = []
        for client in peripheral.clients.indices {
            for handle in peripheral.clients[client].subscriptions {
                guard let place = peripheral.places[handle], place.session == id,
                    let central = describe(client, to: id, host: host)
                else { continue }
                subscriptions.append(
                    PeripheralRestoration.Subscriber(central: central, characteristic: place.characteristic)
                )
            }
        }
        return PeripheralRestoration(
            services: published.map(\.service),
            subscriptions: subscriptions,
            advertisement: peripheral.advertisements.first { $0.session == id }?.request
        )
    }
}
