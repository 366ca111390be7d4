import BluetoothValues
import VirtualTime

/// The server's orders, for one client or for all of them.
extension ATTLayer {
    /// The application's answer to a request, if its connection is still there and still waits.
    mutating func respond(
        to request: RequestID,
        with answer: RequestAnswer,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard let index = index(of: request.connection) else { return }
        server.respond(to: request.number, with: answer, on: &bearers[index], at: now, into: &actions)
    }

    /// A signed write has come whose signature is good; here it is without.
    mutating func receiveSigned(
        _ message: [UInt8],
        on connection: ConnectionID,
        as security: LinkSecurity,
        into actions: inout ATTActions
    ) {
        guard let index = index(of: connection), !bearers[index].isClosed else { return }
        server.receiveSigned(message, as: security, on: &bearers[index], into: &actions)
    }

    /// False if a client that wants the value could not be given it.
    mutating func indicate(
        _ value: [UInt8],
        of handle: AttributeHandle,
        to connection: ConnectionID?,
        at now: Instant,
        into actions: inout ATTActions
    ) -> Bool {
        var wasSent = true
        for index in bearers.indices where connection == nil || bearers[index].connection == connection {
            guard wants(.indications, of: handle, at: index) else { continue }
            if !server.indicate(value, of: handle, to: &bearers[index], at: now, into: &actions) { wasSent = false }
        }
        return wasSent
    }

    /// Whether the client of a bearer has subscribed to a characteristic, and may be sent values at the moment. Field
    /// by field, since a bearer is much to copy for a notification.
    @inline(__always)
    func wants(_ kind: Subscription, of handle: AttributeHandle, at index: Int) -> Bool {
        guard let row = server.database.index(of: handle) else { return false }
        let slot = Int(server.database.attributes[row].configurationSlot)
        // What a link is not good enough for is not sent over it, whatever was subscribed to on a better one. Core 6.0,
        // Vol 3, Part C, 10.3.1.1.
        let isGoodEnough =
            server.database.attributes[row].sending.isOpen
            || server.database.attributes[row].sending.error(
                on: bearers[index].security,
                refusal: .readNotPermitted
            )
                == nil
        guard isGoodEnough, slot >= 0 else { return false }
        // A field of what an array holds may be had by a copy of all of it; of what a buffer holds, never.
        return bearers.withUnsafeBufferPointer { bearers in
            !bearers[index].isClosed
                && (bearers[index].server.caching == .aware || bearers[index].server.clientFeatures & 0x01 == 0)
                && slot < bearers[index].server.subscriptions.count
                && bearers[index].server.subscriptions[slot] & kind.rawValue != 0
        }
    }

    func subscription(of connection: ConnectionID, to handle: AttributeHandle) -> Subscription {
        guard let index = index(of: connection), let row = server.database.index(of: handle) else { return [] }
        return bearers[index].server.subscription(slot: server.database.attributes[row].configurationSlot)
    }

    /// Removes a service and what clients had set in it, and tells which handles it had.
    mutating func removeService(at handle: AttributeHandle) throws(DatabaseError) -> ClosedRange<AttributeHandle> {
        let before = server.database.freeSlots.count
        let range = try server.database.removeService(at: handle)
        for slot in server.database.freeSlots[before...] {
            for index in bearers.indices { bearers[index].server.subscribe(slot: slot, to: []) }
        }
        return range
    }

    /// The database has changed between these handles.
    mutating func databaseChanged(
        _ range: ClosedRange<AttributeHandle>,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        for index in bearers.indices {
            server.databaseChanged(range, on: &bearers[index], at: now, into: &actions)
        }
    }
}
