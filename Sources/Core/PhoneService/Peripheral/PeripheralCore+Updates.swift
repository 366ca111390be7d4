import BluethroatBluetoothValues
import BluethroatHost

/// Values that apps send to those who subscribed. Each client gets them in the order in which they were sent.
extension PeripheralCore {
    mutating func update(
        _ characteristic: LocalCharacteristicID,
        _ value: [UInt8],
        to peers: [PeerID]?,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) {
        let owner = CharacteristicOwner(session: session, characteristic: characteristic)
        guard let handle = handles[owner], let app = turn.clients.sessions.app(of: session) else {
            return giveBack(to: session, of: [], &turn)
        }
        var wanted: [ConnectionID] = []
        for client in clients where client.subscriptions.contains(handle) {
            if let peers, !peers.contains(turn.name(of: client.peer, for: app)) { continue }
            wanted.append(client.connection)
        }
        let sent = value.count > 512 ? Array(value[..<512]) : value
        var update = ValueUpdate(session: session, handle: handle, value: sent, waiting: wanted)
        send(&update, &turn)
        if update.waiting.isEmpty {
            giveBack(to: session, of: [], &turn)
        } else {
            updates.append(update)
        }
    }

    /// Sends what waits, as far as there is room for it.
    mutating func sendUpdates(_ turn: inout ServiceTurn) {
        guard !updates.isEmpty else { return }
        var waiting: [ValueUpdate] = []
        swap(&waiting, &updates)
        for var update in waiting {
            send(&update, &turn)
            if update.waiting.isEmpty {
                giveBack(to: update.session, of: waiting, &turn)
            } else {
                updates.append(update)
            }
        }
    }

    /// What was to be sent of a value that is gone.
    mutating func dropUpdates(of handle: AttributeHandle, _ turn: inout ServiceTurn) {
        for update in updates where update.handle == handle { giveBack(to: update.session, of: updates, &turn) }
        updates.removeAll { $0.handle == handle }
    }

    /// One of the values that waited has left, or none had to wait. The app's delegate is told only where the app was refused one,
    /// and so only if its window was full: an app is not woken for each value that leaves.
    private func giveBack(to session: SessionID, of waiting: [ValueUpdate], _ turn: inout ServiceTurn) {
        let wasFull = !waiting.isEmpty && waiting.count { $0.session == session } >= settings.updateWindow
        turn.emit(.updatesSent(1), to: session, isForDelegate: wasFull)
    }

    /// Sends a value to those of its clients that have room and no earlier value that waits.
    private func send(_ update: inout ValueUpdate, _ turn: inout ServiceTurn) {
        let handle = update.handle
        let value = update.value
        update.waiting.removeAll { connection in
            if updates.contains(where: { $0.waiting.contains(connection) }) { return false }
            let wants = turn.host.subscription(of: connection, to: handle)
            return if wants.contains(.notifications) || wants.isEmpty {
                turn.host.notify(value, handle: handle, to: connection, at: turn.now, into: &turn.actions)
            } else {
                turn.host.indicate(value, handle: handle, to: connection, at: turn.now, into: &turn.actions)
            }
        }
    }
}
