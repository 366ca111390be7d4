import BluethroatBluetoothValues
import BluethroatHost

/// The clients of the phone's server, and what they have subscribed to.
extension PeripheralCore {
    mutating func connected(_ description: ConnectionDescription, _ turn: inout ServiceTurn) {
        clients.append(
            ServerClient(connection: description.id, peer: description.peerIdentity ?? description.peer)
        )
        findSubscriptions(of: description.id, &turn)
    }

    mutating func disconnected(_ connection: ConnectionID, _ turn: inout ServiceTurn) {
        guard let client = client(connection) else { return }
        for handle in clients[client].subscriptions { setSubscribed(false, client, to: handle, &turn) }
        clients.removeAll { $0.connection == connection }
        for request in requests where request.id.connection == connection { lapse(request.waiting) }
        requests.removeAll { $0.id.connection == connection }
        for update in updates.indices { updates[update].waiting.removeAll { $0 == connection } }
        sendUpdates(&turn)
        // A controller that could not take another connection can now.
        refreshAdvertising(&turn)
    }

    /// A client as an app knows it, which from now on hears when something about it changes.
    mutating func describe(
        _ client: ServerClientIndex,
        to session: SessionID,
        _ turn: inout ServiceTurn
    ) -> SubscribedCentral? {
        guard let app = turn.clients.sessions.app(of: session) else { return nil }
        if !clients[client].knownTo.contains(session) { clients[client].knownTo.append(session) }
        return SubscribedCentral(
            id: turn.name(of: clients[client].peer, for: app),
            // No value is longer than 512 bytes. Core 6.0, Vol 3, Part F, 3.2.9.
            maximumUpdateLength: min((turn.host.mtu(of: clients[client].connection) ?? 23) - 3, 512)
        )
    }

    mutating func mtuChanged(of connection: ConnectionID, _ turn: inout ServiceTurn) {
        guard let client = client(connection) else { return }
        for session in clients[client].knownTo {
            guard let central = describe(client, to: session, &turn) else { continue }
            turn.emit(.limitsChanged(central), to: session)
        }
    }

    /// A client has shown who it is, and keeps the names that apps know it by.
    func paired(_ connection: ConnectionID, _ result: PairingResult, _ turn: inout ServiceTurn) {
        guard let client = client(connection), let identity = result.peerIdentity else { return }
        turn.clients.names.learn(identity: identity, of: clients[client].peer)
    }

    // MARK: Subscriptions

    /// What a bonded client had subscribed to before holds again, without a word from it.
    mutating func findSubscriptions(of connection: ConnectionID, _ turn: inout ServiceTurn) {
        guard let client = client(connection) else { return }
        for published in published {
            for characteristic in published.handles.characteristics where characteristic.clientConfiguration != nil {
                let isSubscribed = !turn.host.subscription(of: connection, to: characteristic.value).isEmpty
                setSubscribed(isSubscribed, client, to: characteristic.value, &turn)
            }
        }
    }

    mutating func subscriptionChanged(
        of connection: ConnectionID,
        to handle: AttributeHandle,
        _ subscription: Subscription,
        _ turn: inout ServiceTurn
    ) {
        guard let client = client(connection) else { return }
        setSubscribed(!subscription.isEmpty, client, to: handle, &turn)
    }

    /// Has the app hear if a client has subscribed or has ended that.
    private mutating func setSubscribed(
        _ isSubscribed: Bool,
        _ client: ServerClientIndex,
        to handle: AttributeHandle,
        _ turn: inout ServiceTurn
    ) {
        guard let owner = owners[handle], clients[client].subscriptions.contains(handle) != isSubscribed,
            let central = describe(client, to: owner.session, &turn)
        else { return }
        if isSubscribed {
            clients[client].subscriptions.append(handle)
            turn.emit(.subscribed(central, owner.characteristic), to: owner.session)
        } else {
            clients[client].subscriptions.removeAll { $0 == handle }
            turn.emit(.unsubscribed(central.id, owner.characteristic), to: owner.session)
        }
    }

    // MARK: Restoration

    /// What a manager had while its app is away.
    mutating func keep(_ id: SessionID, _ turn: inout ServiceTurn) -> PeripheralRestoration {
        var subscriptions: [PeripheralRestoration.Subscriber] = []
        for client in clients.indices {
            for handle in clients[client].subscriptions {
                guard let owner = owners[handle], owner.session == id,
                    let central = describe(client, to: id, &turn)
                else { continue }
                subscriptions.append(
                    PeripheralRestoration.Subscriber(central: central, characteristic: owner.characteristic)
                )
            }
        }
        return PeripheralRestoration(
            services: published.filter { $0.session == id }.map(\.service),
            subscriptions: subscriptions,
            advertisement: advertisements.first { $0.session == id }?.request
        )
    }
}
