public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// Orders to a central about the attributes of a peer.
extension WorkbenchCentral {
    /// Finds all services and what is in them, and reads what describes the characteristics to people.
    public func discover(
        _ peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<RemoteDatabase>
    ) {
        run(.discover, on: peer, at: now) { [unowned self] (result: Result<RemoteDatabase, Refusal>) in
            guard case .success(let database) = result else { return answer(result) }
            labellings.append(Labelling(of: peer, database, answer))
        } begin: { id throws(OrderError) in
            try host.discoverAll(id, at: now, into: &actions)
        } finish: { central, link, result in
            guard case .database(let database) = result else { return nil }
            central.links[link].database = database
            return (database, nil, "\(database.services.count) services")
        }
    }

    /// Reads all of a value.
    public func read(
        _ handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<[UInt8]>
    ) {
        run(.read, on: peer, handle: handle, at: now, answer) { id throws(OrderError) in
            try host.read(id, handle, at: now, into: &actions)
        } finish: { central, link, result in
            guard case .value(let value) = result else { return nil }
            return (value, value, nil)
        }
    }

    /// Writes a value and waits for the peer's word that it has it.
    public func write(
        _ value: [UInt8],
        to handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<Void>
    ) {
        run(.write, on: peer, handle: handle, value: value, at: now, answer) { id throws(OrderError) in
            try host.write(value, id, handle, at: now, into: &actions)
        } finish: { _, _, result in
            guard case .written = result else { return nil }
            return ((), nil, nil)
        }
    }

    /// Sends a value without a response.
    public func writeCommand(
        _ value: [UInt8],
        to handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) throws(Refusal) {
        let link = try link(to: peer)
        let uuid = links[link].uuid(at: handle)
        var failure: String?
        do {
            let wasTaken = try host.writeCommand(value, links[link].id, handle, at: now, into: &actions)
            if !wasTaken { failure = "the queue for this connection is full; wait a moment" }
        } catch {
            failure = "\(error)"
        }
        if failure == nil { links[link].keepWritten(value, to: handle, isConfirmed: false, at: now) }
        log.note(
            .writeCommand,
            at: now,
            peer: peer,
            handle: handle,
            uuid: uuid,
            value: value,
            outcome: failure,
            hasFailed: failure != nil
        )
        changeCount += 1
        if let failure { throw Refusal(kind: .notNow, sentence: failure) }
    }

    /// Turns notifications on, or indications where there are only those; or off.
    public func subscribe(
        _ isOn: Bool,
        to handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<Subscription?>
    ) {
        guard let link = links.firstIndex(where: { $0.peer == peer }) else {
            return answer(.failure(.notConnected(peer)))
        }
        guard let characteristic = links[link].characteristic(at: handle) else {
            return answer(
                .failure(
                    Refusal(kind: .noSuchThing, sentence: "there is no characteristic at \(handle); discover first")
                )
            )
        }
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            return answer(
                .failure(Refusal(kind: .notNow, sentence: "\(characteristic.uuid) neither notifies nor indicates"))
            )
        }
        let kind: Subscription = characteristic.properties.contains(.notify) ? .notifications : .indications
        run(isOn ? .subscribe : .unsubscribe, on: peer, handle: characteristic.valueHandle, at: now, answer) {
            id throws(OrderError) in
            isOn
                ? try host.subscribe(id, to: characteristic, kind, at: now, into: &actions)
                : try host.unsubscribe(id, from: characteristic, at: now, into: &actions)
        } finish: { central, link, result in
            guard case .written = result else { return nil }
            central.links[link].subscriptions[characteristic.valueHandle] = isOn ? kind : nil
            return (isOn ? kind : nil, nil, nil)
        }
    }

    /// Has the host do something on a link and writes into the log what comes of it.
    func run<Value>(
        _ kind: OperationLog.Entry.Kind,
        on peer: DeviceAddress,
        handle: AttributeHandle? = nil,
        value: [UInt8]? = nil,
        at now: Instant,
        _ answer: @escaping Answer<Value>,
        begin: (ConnectionID) throws(OrderError) -> ProcedureID,
        finish: @escaping (WorkbenchCentral, Int, ProcedureResult) -> (Value, [UInt8]?, outcome: String?)?
    ) {
        guard let link = links.first(where: { $0.peer == peer }) else { return answer(.failure(.notConnected(peer))) }
        let uuid = handle.flatMap { link.uuid(at: $0) }
        let entry = log.begin(kind, at: now, peer: peer, handle: handle, uuid: uuid, value: value)
        changeCount += 1
        let procedure: ProcedureID
        do {
            procedure = try begin(link.id)
        } catch {
            return refuse(entry, Refusal(kind: .notNow, sentence: "\(error)"), at: now, answer)
        }
        procedures[procedure] = (
            entry,
            { [unowned self] result, now in
                guard let index = links.firstIndex(where: { $0.id == link.id }),
                    let (found, bytes, outcome) = finish(self, index, result)
                else { return refuse(entry, Refusal(result), at: now, answer) }
                if kind == .write, let value, let handle {
                    links[index].keepWritten(value, to: handle, isConfirmed: true, at: now)
                }
                if let bytes, let handle { links[index].keep(bytes, of: handle, at: now) }
                log.end(entry, at: now, value: bytes, outcome: outcome)
                answer(.success(found))
            }
        )
    }
}
