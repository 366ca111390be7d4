import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime

/// What clients that remember a database receive when it changes. Core 6.0, Vol 3, Part G, 2.5.2.
extension GATTServer {
    /// The database has changed between these handles: clients that subscribed to Service Changed get an indication.
    ///
    /// - Parameter isNow: false if it has changed before this connection was made.
    func databaseChanged(
        _ range: ClosedRange<AttributeHandle>,
        isNow: Bool = true,
        on link: inout HostLink,
        at now: Instant,
        into actions: inout ATTActions
    ) {
        guard !link.att.isClosed else { return }
        link.att.server.caching = .unaware
        let stale = link.att.server.prepared.first { write in
            AttributeHandle(rawValue: write.handle).map(range.contains) ?? false
        }
        if let stale { link.att.server.staleHandle = stale.handle }
        if isNow, let stale = link.att.server.pending?.kept.first(where: { range.contains($0.handle) }) {
            link.att.server.pending?.staleHandle = stale.handle.rawValue
        }
        guard let changed = database.attributes.first(where: { $0.role == .serviceChanged }),
            link.att.server.subscription(slot: changed.configurationSlot).contains(.indications)
        else { return }
        var range = range
        // An indication that waits in the queue can still be changed to report both changes.
        let sent = link.deadlines.isArmed(.confirmation) ? 1 : 0
        let waiting = link.att.server.indications.indices.dropFirst(sent)
        if let last = waiting.last(where: { link.att.server.indications[$0].handle == changed.handle }) {
            range = Self.union(range, link.att.server.indications[last].value)
            link.att.server.indications[last].value = Self.serviceChangedValue(range)
        } else {
            // Before all others, which wait until the client knows of the change, and however many these are.
            let value = Self.serviceChangedValue(range)
            link.att.server.indications.insert(ServerSession.Indication(handle: changed.handle, value: value), at: sent)
            sendNextIndication(on: &link, at: now, into: &actions)
        }
    }

    /// Why a client that does not know of a change is refused; nil lets the request pass. 2.5.2.1.
    func checkCaching(_ request: ATTPDU, on session: inout ServerSession) -> Refusal? {
        if session.caching == .aware { return nil }
        if session.caching == .told {
            session.caching = .aware
            return nil
        }
        switch request {
        case .readRequest(let request): return refuse(request.handle)
        case .readBlobRequest(let request): return refuse(request.handle)
        case .writeRequest(let request): return refuse(request.handle)
        case .prepareWriteRequest(let request): return refuse(request.handle)
        case .readMultipleRequest(let request): return refuse(request.handles[0])
        case .readMultipleVariableRequest(let request): return refuse(request.handles[0])
        case .executeWriteRequest(let request):
            guard request.choice == .write, let first = session.prepared.first else { return nil }
            if session.wantsRobustCaching { session.forgetPrepared() }
            return refuse(first.handle)
        case .readByTypeRequest(let request):
            let isWhole = request.start == 0x0001 && request.end == 0xFFFF
            if isWhole {
                if request.type == .databaseHash { session.caching = .told }
                return nil
            }
            return request.type == .include || request.type == .characteristic ? nil : refuse(request.start)
        default: return nil
        }

        func refuse(_ handle: UInt16) -> Refusal? {
            guard session.wantsRobustCaching else { return nil }
            session.caching = .told
            return Refusal(.databaseOutOfSync, handle)
        }
    }

    func confirmServiceChanged(on session: inout ServerSession) {
        // Another change may be waiting to be indicated.
        let isPending = session.indications.contains { isServiceChanged($0.handle) }
        if !isPending { session.caching = .aware }
    }

    static func serviceChangedValue(_ range: ClosedRange<AttributeHandle>) -> [UInt8] {
        var value: [UInt8] = []
        value.appendUInt16(range.lowerBound.rawValue)
        value.appendUInt16(range.upperBound.rawValue)
        return value
    }

    private static func union(
        _ range: ClosedRange<AttributeHandle>,
        _ value: [UInt8]
    ) -> ClosedRange<AttributeHandle> {
        var bytes = value.span.bytes
        guard let low = try? bytes.takeUInt16(), let high = try? bytes.takeUInt16(),
            let start = AttributeHandle(rawValue: low), let end = AttributeHandle(rawValue: high)
        else { return range }
        return min(range.lowerBound, start)...max(range.upperBound, end)
    }
}
