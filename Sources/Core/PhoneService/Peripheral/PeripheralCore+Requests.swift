import BluethroatBluetoothValues
import BluethroatHost

/// What clients want of the values of apps. The server itself has refused what they may not do.
extension PeripheralCore {
    mutating func handle(_ event: GATTServerEvent, _ turn: inout ServiceTurn) {
        switch event {
        case .readRequested(let id, let connection, let handle, let offset):
            // An app that is off the screen and may do nothing there cannot answer.
            guard let owner = owners[handle], turn.isActive(owner.session), let client = client(connection),
                let central = describe(client, to: owner.session, &turn)
            else { return turn.host.refuse(id, .unlikelyError, at: turn.now, into: &turn.actions) }
            let local = nextRequest()
            let part = ServerRequest.Part(session: owner.session, id: local, characteristics: [owner.characteristic])
            requests.append(ServerRequest(id: id, kind: .read, waiting: [part]))
            turn.emit(.readRequested(local, central, owner.characteristic, offset: offset), to: owner.session)
        case .writeRequested(_, _, _, .command) where !settings.deliversWritesWithoutResponse: break
        case .writeRequested(let id, let connection, let writes, let kind):
            requestWrites(id, connection, writes, isAwaited: kind.wantsResponse, &turn)
        case .subscriptionChanged(let connection, let handle, let subscription):
            subscriptionChanged(of: connection, to: handle, subscription, &turn)
        case .indicationConfirmed: sendUpdates(&turn)
        case .valueWritten: break
        }
    }

    /// Asks each app for what is to be written to its values; mostly there is one.
    private mutating func requestWrites(
        _ id: RequestID,
        _ connection: ConnectionID,
        _ writes: [AttributeWrite],
        isAwaited: Bool,
        _ turn: inout ServiceTurn
    ) {
        var shares: [(session: SessionID, writes: [LocalWrite])] = []
        for write in writes {
            guard let owner = owners[write.handle], turn.isActive(owner.session) else {
                return turn.host.refuse(id, .unlikelyError, write.handle, at: turn.now, into: &turn.actions)
            }
            let local = LocalWrite(characteristic: owner.characteristic, offset: write.offset, value: write.value)
            if let share = shares.firstIndex(where: { $0.session == owner.session }) {
                shares[share].writes.append(local)
            } else {
                shares.append((owner.session, [local]))
            }
        }
        guard let client = client(connection) else { return }
        var request = ServerRequest(id: id, kind: .write, waiting: [])
        for share in shares {
            guard let central = describe(client, to: share.session, &turn) else { continue }
            let local = nextRequest(isAwaited: isAwaited)
            request.waiting.append(
                ServerRequest.Part(
                    session: share.session,
                    id: local,
                    characteristics: share.writes.map(\.characteristic)
                )
            )
            turn.emit(.writesRequested(local, central, share.writes), to: share.session)
        }
        // Of a write without a response nothing is kept: a client sends as many as it likes, and apps need not answer.
        if isAwaited { requests.append(request) }
    }

    /// An app answers. The client is answered when all have, with the first refusal if there is one.
    mutating func answer(
        _ answer: LocalAnswer,
        to id: LocalRequestID,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) {
        guard id.isAwaited else { return }
        let found = requests.firstIndex { request in
            request.waiting.contains { $0.session == session && $0.id == id }
        }
        guard let index = found else {
            let known = lapsed.firstIndex { $0.session == session && $0.id == id }
            // Too late, which the app could not know; too much where it has answered before.
            if let known {
                lapsed.remove(at: known)
            } else if id.number <= requestCount {
                turn.note(
                    .requestNotAwaited,
                    "API MISUSE: a request was answered that nobody waits for any more",
                    of: session
                )
            }
            return
        }
        requests[index].waiting.removeAll { $0.session == session && $0.id == id }
        switch answer {
        case .accepted(let value):
            if requests[index].kind == .read { requests[index].answer = .value(value) }
        case .refused(let error, let characteristic):
            let refused = characteristic.flatMap { name in
                handles[CharacteristicOwner(session: session, characteristic: name)]
            }
            if case .refused = requests[index].answer { break }
            requests[index].answer = .refused(error, refused)
        }
        guard requests[index].waiting.isEmpty else { return }
        let request = requests.remove(at: index)
        // Of the request's kind: `accepted` becomes a value for reads alone.
        try? turn.host.respond(to: request.id, with: request.answer, at: turn.now, into: &turn.actions)
    }

    /// Refuses what an app was asked that cannot answer any more.
    mutating func refuseAll(of session: SessionID, _ turn: inout ServiceTurn) {
        refuse(of: session, &turn) { _ in true }
    }

    /// Refuses what an app was asked of values that are about to be gone.
    mutating func refuseRequests(to service: LocalService, of session: SessionID, _ turn: inout ServiceTurn) {
        guard !requests.isEmpty else { return }
        let gone = service.characteristics.map(\.id)
        refuse(of: session, &turn) { $0.characteristics.contains(where: gone.contains) }
    }

    private mutating func refuse(
        of session: SessionID,
        _ turn: inout ServiceTurn,
        where isMeant: (ServerRequest.Part) -> Bool
    ) {
        let parts = requests.flatMap(\.waiting).filter { $0.session == session && isMeant($0) }
        for part in parts { answer(.refused(.unlikelyError, nil), to: part.id, of: session, &turn) }
        lapse(parts)
    }

    /// Who answers one of these later has done nothing wrong.
    mutating func lapse(_ parts: [ServerRequest.Part]) {
        lapsed += parts
        // An app may leave any number of requests without an answer.
        if lapsed.count > 256 { lapsed.removeFirst(lapsed.count - 256) }
    }

    private mutating func nextRequest(isAwaited: Bool = true) -> LocalRequestID {
        requestCount += 1
        return LocalRequestID(number: requestCount, isAwaited: isAwaited)
    }
}
