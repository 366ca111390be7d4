import BluetoothValues
import Host
import VirtualTime

/// What clients want of the values of apps. The server itself has refused what they may not do.
extension BluetoothService {
    func handle(_ event: GATTServerEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .readRequested(let id, let connection, let handle, let offset):
            // Whose app is off the screen and may do nothing there cannot answer.
            guard let place = peripheral.places[handle], goesOn(place.session),
                let index = peripheral.index(of: connection),
                let central = describe(index, to: place.session, host: host)
            else { return host.refuse(id, .unlikelyError, at: now, into: &actions) }
            let local = nextRequest()
            let part = PeripheralSide.Request.Part(session: place.session, id: local)
            peripheral.requests.append(PeripheralSide.Request(id: id, kind: .read, waiting: [part]))
            tell(.readRequested(local, central, place.characteristic, offset: offset), to: place.session)
        case .writeRequested(_, _, _, .command) where !settings.deliversWritesWithoutResponse: break
        case .writeRequested(let id, let connection, let writes, _):
            ask(id, connection, writes, host: host, at: now, into: &actions)
        case .subscriptionChanged(let connection, let handle, let subscription):
            guard let index = peripheral.index(of: connection) else { return }
            setSubscribed(!subscription.isEmpty, index, to: handle, host: host)
        case .indicationConfirmed: sendUpdates(host: host, at: now, into: &actions)
        case .valueWritten: break
        }
    }

    /// Asks each app for what is to be written to its values; mostly there is one.
    private func ask(
        _ id: RequestID,
        _ connection: ConnectionID,
        _ writes: [AttributeWrite],
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        var shares: [(session: SessionID, writes: [LocalWrite])] = []
        for write in writes {
            guard let place = peripheral.places[write.handle], goesOn(place.session) else {
                return host.refuse(id, .unlikelyError, write.handle, at: now, into: &actions)
            }
            let local = LocalWrite(characteristic: place.characteristic, offset: write.offset, value: write.value)
            if let share = shares.firstIndex(where: { $0.session == place.session }) {
                shares[share].writes.append(local)
            } else {
                shares.append((place.session, [local]))
            }
        }
        guard let index = peripheral.index(of: connection) else { return }
        var request = PeripheralSide.Request(id: id, kind: .write, waiting: [])
        for share in shares {
            guard let central = describe(index, to: share.session, host: host) else { continue }
            let local = nextRequest()
            request.waiting.append(PeripheralSide.Request.Part(session: share.session, id: local))
            tell(.writesRequested(local, central, share.writes), to: share.session)
        }
        peripheral.requests.append(request)
    }

    /// An app answers. The client is answered when all have, with the first refusal if there is one.
    func take(
        _ answer: LocalAnswer,
        to id: LocalRequestID,
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let found = peripheral.requests.firstIndex { request in
            request.waiting.contains { $0.session == session && $0.id == id }
        }
        guard let index = found else {
            // Too late where the client is gone; too much where the app has answered before.
            if id.number <= peripheral.requestCount {
                note("API MISUSE: a request was answered that nobody waits for any more", of: session, at: now)
            }
            return
        }
        peripheral.requests[index].waiting.removeAll { $0.session == session && $0.id == id }
        switch answer {
        case .accepted(let value):
            if peripheral.requests[index].kind == .read { peripheral.requests[index].answer = .value(value) }
        case .refused(let error, let characteristic):
            let culprit = characteristic.flatMap { name in
                peripheral.handles[PeripheralSide.Place(session: session, characteristic: name)]
            }
            if case .refused = peripheral.requests[index].answer { break }
            peripheral.requests[index].answer = .refused(error, culprit)
        }
        guard peripheral.requests[index].waiting.isEmpty else { return }
        let request = peripheral.requests.remove(at: index)
        // Of the request's kind: `accepted` becomes a value for reads alone.
        try? host.respond(to: request.id, with: request.answer, at: now, into: &actions)
    }

    /// Nobody is left who could answer what an app was asked.
    func refuseAll(of session: SessionID, host: Host, at now: Instant, into actions: inout HostActions) {
        let parts = peripheral.requests.flatMap(\.waiting).filter { $0.session == session }
        for part in parts {
            take(.refused(.unlikelyError, nil), to: part.id, of: session, host: host, at: now, into: &actions)
        }
    }

    private func nextRequest() -> LocalRequestID {
        peripheral.requestCount += 1
        return LocalRequestID(number: peripheral.requestCount)
    }
}
