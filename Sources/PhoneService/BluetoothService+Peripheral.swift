import BluetoothValues
import Host
import VirtualTime

/// The half of the service that works for peripheral managers.
extension BluetoothService {
    /// Carries out what a peripheral manager wants.
    func perform(
        _ order: PeripheralCommand,
        from session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch order {
        case .add(let service): add(service, of: session, host: host, at: now, into: &actions)
        case .remove(let id):
            removeServices(of: session, host: host, at: now, into: &actions) { $0.service.id == id }
        case .removeAllServices: removeServices(of: session, host: host, at: now, into: &actions) { _ in true }
        case .startAdvertising(let request):
            startAdvertising(request, of: session, host: host, at: now, into: &actions)
        case .stopAdvertising: stopAdvertising(of: session, host: host, at: now, into: &actions)
        case .update(let characteristic, let value, let peers):
            update(characteristic, value, to: peers, of: session, host: host, at: now, into: &actions)
        case .answer(let request, let answer):
            take(answer, to: request, of: session, host: host, at: now, into: &actions)
        case .setLatency(let latency, let peer):
            setLatency(latency, for: peer, of: session, host: host, at: now, into: &actions)
        case .publishChannel(let requiresEncryption):
            publishChannel(requiresEncryption: requiresEncryption, of: session, host: host)
        case .unpublishChannel(let psm): unpublishChannel(psm, of: session, host: host, at: now, into: &actions)
        }
    }

    /// A manager is gone, and everything it had asked for.
    func closePeripheral(_ session: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        refuseAll(of: session, host: host, at: now, into: &actions)
        removeServices(of: session, host: host, at: now, into: &actions) { _ in true }
        stopAdvertising(of: session, host: host, at: now, into: &actions)
    }

    /// Something happened that may concern peripheral managers.
    func handlePeripheral(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .server(let event): handle(event, host: host, at: now, into: &actions)
        case .readyToSend: sendUpdates(host: host, at: now, into: &actions)
        case .connected(let description):
            peripheral.clients.append(
                PeripheralSide.Client(
                    connection: description.id,
                    peer: description.peerIdentity ?? description.peer
                )
            )
            findSubscriptions(of: description.id, host: host)
        case .disconnected(let connection, _): forget(connection, host: host, at: now, into: &actions)
        case .mtuChanged(let connection, _): limitsChanged(of: connection, host: host)
        case .parameterUpdateCompleted(let connection, let result):
            paceAnswered(connection, result, host: host, at: now, into: &actions)
        case .parametersChanged(let connection, _): paceChanged(connection, host: host, at: now, into: &actions)
        case .security(.paired(let connection, let result)):
            guard let index = peripheral.index(of: connection), let identity = result.peerIdentity else { return }
            names.learn(identity: identity, of: peripheral.clients[index].peer)
        case .security(.encryptionChanged(let connection, _)): findSubscriptions(of: connection, host: host)
        case .poweredOn: refreshAdvertising(host: host, at: now, into: &actions)
        case .startFailed, .controllerFailed: forgetEverything(host: host, at: now, into: &actions)
        case .advertisingStarted: advertisingStarted()
        case .advertisingEnded(let end): advertisingEnded(end, host: host, at: now, into: &actions)
        default: break
        }
    }

    /// The state is below off: the database is emptied, and nothing is advertised any more.
    private func forgetEverything(host: Host, at now: Instant, into actions: inout HostActions) {
        for published in peripheral.published.reversed() {
            try? host.removeService(at: published.handles.range.lowerBound, at: now, into: &actions)
        }
        peripheral.published = []
        peripheral.handles = [:]
        peripheral.places = [:]
        peripheral.advertisements = []
        peripheral.onAir = nil
        forgetPublishedChannels(host: host)
    }

    // MARK: Clients

    /// A client as an app knows it, which from now on hears when something about it changes.
    func describe(_ index: Int, to session: SessionID, host: Host) -> SubscribedCentral? {
        guard let app = app(of: session) else { return nil }
        if !peripheral.clients[index].knownTo.contains(session) { peripheral.clients[index].knownTo.append(session) }
        let client = peripheral.clients[index]
        return SubscribedCentral(
            id: names.name(of: client.peer, for: app),
            // No value is longer than 512 bytes. Core 6.0, Vol 3, Part F, 3.2.9.
            maximumUpdateLength: min((host.mtu(of: client.connection) ?? 23) - 3, 512)
        )
    }

    private func limitsChanged(of connection: ConnectionID, host: Host) {
        guard let index = peripheral.index(of: connection) else { return }
        for session in peripheral.clients[index].knownTo {
            guard let central = describe(index, to: session, host: host) else { continue }
            tell(.limitsChanged(central), to: session)
        }
    }

    private func forget(
        _ connection: ConnectionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = peripheral.index(of: connection) else { return }
        for handle in peripheral.clients[index].subscriptions {
            setSubscribed(false, index, to: handle, host: host)
        }
        peripheral.clients.removeAll { $0.connection == connection }
        peripheral.requests.removeAll { $0.id.connection == connection }
        for index in peripheral.updates.indices {
            peripheral.updates[index].waiting.removeAll { $0 == connection }
        }
        sendUpdates(host: host, at: now, into: &actions)
        // A controller that could not take another connection can now.
        refreshAdvertising(host: host, at: now, into: &actions)
    }

    // MARK: Subscriptions

    /// What a bonded client had subscribed to before holds again, without a word from it.
    private func findSubscriptions(of connection: ConnectionID, host: Host) {
        guard let index = peripheral.index(of: connection) else { return }
        for published in peripheral.published {
            for characteristic in published.handles.characteristics where characteristic.clientConfiguration != nil {
                let isSubscribed = !host.subscription(of: connection, to: characteristic.value).isEmpty
                setSubscribed(isSubscribed, index, to: characteristic.value, host: host)
            }
        }
    }

    /// Tells the app if a client has subscribed or has ended that.
    func setSubscribed(_ isSubscribed: Bool, _ index: Int, to handle: AttributeHandle, host: Host) {
        guard let place = peripheral.places[handle],
            peripheral.clients[index].subscriptions.contains(handle) != isSubscribed,
            let central = describe(index, to: place.session, host: host)
        else { return }
        if isSubscribed {
            peripheral.clients[index].subscriptions.append(handle)
            tell(.subscribed(central, place.characteristic), to: place.session)
        } else {
            peripheral.clients[index].subscriptions.removeAll { $0 == handle }
            tell(.unsubscribed(central.id, place.characteristic), to: place.session)
        }
    }

    func tell(_ news: PeripheralEvent, to session: SessionID) { tell(.peripheral(news), to: session) }
}
