package import BluethroatBluetoothValues
package import BluethroatVirtualTime

/// Values that an application sends to subscribers: those for which a queue has no room wait here, in their order.
package struct OutgoingUpdates {
    private struct Update {
        let handle: AttributeHandle
        let value: [UInt8]
        let connection: ConnectionID
    }

    private var waiting: [Update] = []

    package init() {}

    /// Sends a value to each of these connections, as a notification or an indication, whichever they have subscribed to.
    package mutating func send(
        _ value: [UInt8],
        of handle: AttributeHandle,
        to subscribers: [ConnectionID],
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        waiting += subscribers.map { Update(handle: handle, value: value, connection: $0) }
        sendOn(host: host, at: now, into: &actions)
    }

    /// Sends what waits, as far as there is room: upon `HostEvent.readyToSend` and `GATTServerEvent.indicationConfirmed`.
    package mutating func sendOn(host: Host, at now: Instant, into actions: inout HostActions) {
        var unsent: [Update] = []
        for update in waiting {
            // One that has to wait holds up what comes behind it.
            let mustWait = unsent.contains { $0.connection == update.connection }
            let wasSent =
                !mustWait
                && (host.subscription(of: update.connection, to: update.handle).contains(.notifications)
                    ? host.notify(update.value, handle: update.handle, to: update.connection, at: now, into: &actions)
                    : host.indicate(update.value, handle: update.handle, to: update.connection, at: now, into: &actions))
            if !wasSent { unsent.append(update) }
        }
        waiting = unsent
    }

    /// A connection has ended: what waits for it is never sent.
    package mutating func drop(_ connection: ConnectionID) { waiting.removeAll { $0.connection == connection } }

    package mutating func dropAll() { waiting = [] }
}
