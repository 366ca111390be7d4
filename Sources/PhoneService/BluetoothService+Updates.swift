import BluetoothValues
import Host
import VirtualTime

/// Values that apps send to those who subscribed. Each client gets them in the order in which they were sent.
extension BluetoothService {
    func update(
        _ characteristic: LocalCharacteristicID,
        _ value: [UInt8],
        to peers: [PeerID]?,
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let place = PeripheralSide.Place(session: session, characteristic: characteristic)
        guard let handle = peripheral.handles[place], let app = app(of: session) else {
            return tell(.updatesSent(1), to: session)
        }
        var wanted: [ConnectionID] = []
        for client in peripheral.clients where client.subscriptions.contains(handle) {
            if let peers, !peers.contains(names.name(of: client.peer, for: app)) { continue }
            wanted.append(client.connection)
        }
        let sent = value.count > 512 ? Array(value[..<512]) : value
        var update = PeripheralSide.Update(session: session, handle: handle, value: sent, waiting: wanted)
        send(&update, behind: peripheral.updates.count, host: host, at: now, into: &actions)
        if update.waiting.isEmpty {
            tell(.updatesSent(1), to: session)
        } else {
            peripheral.updates.append(update)
        }
    }

    /// Sends what waits, as far as there is room for it.
    func sendUpdates(host: Host, at now: Instant, into actions: inout HostActions) {
        guard !peripheral.updates.isEmpty else { return }
        var updates: [PeripheralSide.Update] = []
        swap(&updates, &peripheral.updates)
        for var update in updates {
            send(&update, behind: peripheral.updates.count, host: host, at: now, into: &actions)
            if update.waiting.isEmpty {
                tell(.updatesSent(1), to: update.session)
            } else {
                peripheral.updates.append(update)
            }
        }
    }

    /// What was to be sent of a value that is gone.
    func dropUpdates(of handle: AttributeHandle) {
        for update in peripheral.updates where update.handle == handle { tell(.updatesSent(1), to: update.session) }
        peripheral.updates.removeAll { $0.handle == handle }
    }

    /// Sends a value to those of its clients that have room and for whom no earlier value waits.
    private func send(
        _ update: inout PeripheralSide.Update,
        behind count: Int,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let handle = update.handle
        let value = update.value
        update.waiting.removeAll { connection in
            if peripheral.updates[..<count].contains(where: { $0.waiting.contains(connection) }) { return false }
            let wants = host.subscription(of: connection, to: handle)
            return if wants.contains(.notifications) || wants.isEmpty {
                host.notify(value, handle: handle, to: connection, at: now, into: &actions)
            } else {
                host.indicate(value, handle: handle, to: connection, at: now, into: &actions)
            }
        }
    }
}
