import BluethroatBluetoothValues
import BluethroatVirtualTime

/// The server's orders, for one link.
extension ATTLayer {
    /// The application's answer to a request, if its link still waits for it.
    mutating func respond(
        to request: RequestID,
        with answer: RequestAnswer,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) throws(OrderError) {
        try server.respond(to: request.number, with: answer, on: &link, at: now, into: &actions)
    }

    /// A signed write has come whose signature is good; here it is without.
    mutating func receiveSigned(
        _ message: [UInt8],
        on link: inout HostLink,
        as security: LinkSecurity,
        into actions: inout ATTActions
    ) {
        guard !link.att.isClosed else { return }
        server.receiveSigned(message, as: security, on: &link, into: &actions)
    }

    /// False if a client that has subscribed to the value could not be given it.
    func indicate(
        _ value: [UInt8],
        of handle: AttributeHandle,
        to link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) -> Bool {
        guard server.wants(.indications, of: handle, link) else { return true }
        return server.indicate(value, of: handle, to: &link, at: now, into: &actions)
    }

    func subscription(of link: borrowing HostLink, to handle: AttributeHandle) -> Subscription {
        guard let row = server.database.index(of: handle) else { return [] }
        return link.att.server.subscription(slot: server.database.attributes[row].configurationSlot)
    }
}
