import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

@testable import BluethroatHost

/// An ATT layer and links for it, as a host has them.
struct ATTEnd {
    /// One link.
    final class Bearer {
        var link: HostLink

        init(_ connection: ConnectionID, maximumMTU: Int) {
            link = .sample(connection, maximumMTU: maximumMTU)
        }

        var connection: ConnectionID { link.id }
        var mtu: Int { link.att.mtu }
        var isClosed: Bool { link.att.isClosed }
        var isExchangingMTU: Bool { link.att.isExchangingMTU }
        var server: ServerSession { link.att.server }
        var client: ClientSession { link.att.client }
        var hasPendingReady: Bool {
            get { link.att.hasPendingReady }
            set { link.att.hasPendingReady = newValue }
        }
        var security: LinkSecurity {
            get { link.security.level }
            set { link.security.level = newValue }
        }
    }

    private var layer: ATTLayer
    var bearers: [Bearer] = []
    private(set) var timedOut: [ConnectionID] = []

    init(maximumMTU: Int) { layer = ATTLayer(maximumMTU: maximumMTU) }

    var server: GATTServer {
        get { layer.server }
        _modify { yield &layer.server }
    }

    func bearer(of connection: ConnectionID) -> Bearer? { bearers.first { $0.connection == connection } }

    func mtu(of connection: ConnectionID) -> Int? { bearer(of: connection)?.mtu }

    mutating func open(_ connection: ConnectionID) {
        bearers.append(Bearer(connection, maximumMTU: layer.maximumMTU))
    }

    mutating func close(_ connection: ConnectionID, into actions: inout ATTActions) {
        guard let bearer = bearer(of: connection) else { return }
        layer.close(&bearer.link, into: &actions)
        bearers.removeAll { $0 === bearer }
    }

    mutating func handlePDU(
        _ pdu: RawSpan,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard let bearer = bearer(of: connection) else { return }
        layer.handlePDU(pdu, on: &bearer.link, at: now, into: &actions)
    }

    func handleTooLongPDU(_ beginning: RawSpan, on connection: ConnectionID, into actions: inout ATTActions) {
        guard let bearer = bearer(of: connection) else { return }
        layer.handleTooLongPDU(beginning, on: &bearer.link, into: &actions)
    }

    var nextDeadline: Instant? { bearers.compactMap { $0.link.deadlines.next }.min() }

    mutating func expire(at now: Instant, into actions: inout ATTActions) {
        for bearer in bearers {
            while bearer.link.deadlines.popExpired(at: now) != nil {
                actions.hasTimedOut = false
                layer.timeOut(&bearer.link, into: &actions)
                if actions.hasTimedOut { timedOut.append(bearer.connection) }
            }
        }
    }

    mutating func begin(
        _ procedure: ClientProcedure,
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout ATTActions
    ) throws(OrderError) -> ProcedureID {
        guard let bearer = bearer(of: connection) else { throw .noSuchConnection }
        return try layer.begin(procedure, on: &bearer.link, at: now, into: &actions)
    }

    mutating func respond(
        to request: RequestID,
        with answer: RequestAnswer,
        at now: Instant,
        into actions: inout ATTActions
    ) throws(OrderError) {
        guard let bearer = bearer(of: request.connection) else { return }
        try layer.respond(to: request, with: answer, on: &bearer.link, at: now, into: &actions)
    }

    func indicate(
        _ value: [UInt8],
        of handle: AttributeHandle,
        to connection: ConnectionID?,
        at now: Instant,
        into actions: inout ATTActions
    ) -> Bool {
        var wasSent = true
        for bearer in bearers where connection == nil || bearer.connection == connection {
            if !layer.indicate(value, of: handle, to: &bearer.link, at: now, into: &actions) { wasSent = false }
        }
        return wasSent
    }

    func subscription(of connection: ConnectionID, to handle: AttributeHandle) -> Subscription {
        bearer(of: connection).map { layer.subscription(of: $0.link, to: handle) } ?? []
    }

    mutating func removeService(at handle: AttributeHandle) throws(DatabaseError) -> ClosedRange<AttributeHandle> {
        let before = layer.server.database.freeSlots.count
        let range = try layer.server.database.removeService(at: handle)
        for slot in layer.server.database.freeSlots[before...] {
            for bearer in bearers { bearer.link.att.server.subscribe(slot: slot, to: []) }
        }
        return range
    }

    func databaseChanged(
        _ range: ClosedRange<AttributeHandle>,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        for bearer in bearers { layer.server.databaseChanged(range, on: &bearer.link, at: now, into: &actions) }
    }

    func clientRecord(of connection: ConnectionID) -> ClientRecord? {
        bearer(of: connection).map { layer.clientRecord(of: $0.link) }
    }

    mutating func restore(
        _ record: ClientRecord,
        of connection: ConnectionID,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard let bearer = bearer(of: connection) else { return }
        layer.restore(record, of: &bearer.link, at: now, into: &actions)
    }
}

extension HostLink {
    /// A link for tests of a layer alone.
    static func sample(
        _ connection: ConnectionID,
        role: ConnectionRole = .peripheral,
        own: DeviceAddress = DeviceAddress(value: 1, kind: .public),
        peer: DeviceAddress = DeviceAddress(value: 2, kind: .public),
        maximumMTU: Int = 23,
        pairing: PairingSettings = PairingSettings()
    ) -> HostLink {
        HostLink(
            id: connection,
            role: role,
            own: own,
            peer: peer,
            parameters: .reported(interval: 24, latency: 0, timeout: 72),
            maximumMTU: maximumMTU,
            smp: PairingLink(settings: Boxed(wrappedValue: pairing))
        )
    }
}
