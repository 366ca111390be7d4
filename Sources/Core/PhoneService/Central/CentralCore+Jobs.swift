import BluethroatBluetoothValues
import BluethroatHost

/// The jobs of a connection: each looks whether what it needs to know is known, has it found out if not, and begins
/// again.
extension CentralCore {
    /// Goes on with what waits.
    mutating func advance(_ link: LinkIndex, _ turn: inout ServiceTurn) {
        sendWrites(on: link, &turn)
        while let next = links[link].nextJob {
            let job = links[link].jobs.remove(at: next)
            links[link].current = job
            begin(job, on: link, &turn)
            sendWrites(on: link, &turn)
        }
    }

    private mutating func begin(_ job: LinkJob, on link: LinkIndex, _ turn: inout ServiceTurn) {
        do {
            if let step = try nextStep(of: job, on: link, &turn) {
                links[link].step = step
            } else {
                finish(link)
            }
        } catch {
            fail(job, error.fault, on: link, &turn)
        }
    }

    private mutating func finish(_ link: LinkIndex) {
        links[link].current = nil
        links[link].step = nil
    }

    private mutating func fail(_ job: LinkJob, _ fault: ServiceFault, on link: LinkIndex, _ turn: inout ServiceTurn) {
        finish(link)
        guard let session = job.session, case .command(let command) = job.work, let event = command.failure(fault)
        else {
            return
        }
        emit(event, on: link, to: session, &turn)
    }

    /// A procedure is over.
    mutating func procedureCompleted(
        _ procedure: ProcedureID,
        on id: ConnectionID,
        _ result: ProcedureResult,
        _ turn: inout ServiceTurn
    ) {
        guard let link = link(id), let job = links[link].current, let step = links[link].step,
            step.procedure == procedure
        else { return }
        let peer = links[link].peer
        switch (step, result) {
        case (_, .failed(.disconnected)):
            // No app hears what became of it, nor of what was to come after it. The host has no such connection any more.
            links[link].dropEverything()
            return
        case (.last, .failed(.refused(let error, _, _)))
        where error.asksForSecurity && !job.wasSecured && secure(link, &turn):
            links[link].current?.wasSecured = true
        case (_, .failed(let error)): fail(job, error.fault, on: link, &turn)
        case (.services, .services(let found)):
            peers[peer].attributes.store(services: found)
            emitKnown(peer, &turn)
            emitConnection(of: peer, &turn)
            begin(job, on: link, &turn)
        case (.includes(_, let service), .includes(let found)):
            peers[peer].attributes.store(includes: found, of: service)
            begin(job, on: link, &turn)
        case (.characteristics(_, let service), .characteristics(let found)):
            peers[peer].attributes.store(characteristics: found, of: service)
            begin(job, on: link, &turn)
        case (.descriptors(_, let characteristic), .descriptors(let found)):
            peers[peer].attributes.store(descriptors: found, of: characteristic)
            begin(job, on: link, &turn)
        default:
            finish(link)
            deliver(result, of: job, on: link, &turn)
        }
        advance(link, &turn)
    }

    /// The end of a job that has succeeded.
    private mutating func deliver(
        _ result: ProcedureResult,
        of job: LinkJob,
        on link: LinkIndex,
        _ turn: inout ServiceTurn
    ) {
        if case .readName = job.work, case .values(let values) = result, let name = values.first?.value {
            return rename(links[link].peer, String(decoding: name, as: UTF8.self), &turn)
        }
        guard let session = job.session, case .command(let command) = job.work else { return }
        switch (command, result) {
        case (.read(let handle), .value(let value)):
            emit(.value(handle, .success(value)), on: link, to: session, &turn)
        case (.readDescriptor(let handle), .value(let value)):
            emit(.descriptorValue(handle, .success(value)), on: link, to: session, &turn)
        case (.write(let handle, _), .written): emit(.written(handle, nil), on: link, to: session, &turn)
        case (.writeDescriptor(let handle, _), .written):
            emit(.descriptorWritten(handle, nil), on: link, to: session, &turn)
        case (.setNotifying(let handle, let isOn), .written):
            links[link].subscribers[handle, default: []].removeAll { $0 == session }
            if isOn { links[link].subscribers[handle, default: []].append(session) }
            emit(.notifying(handle, .success(isOn)), on: link, to: session, &turn)
        default: if let event = command.failure(.local(.unknown)) { emit(event, on: link, to: session, &turn) }
        }
    }

    /// The peer has given its name.
    private mutating func rename(_ peer: PeerIndex, _ name: String, _ turn: inout ServiceTurn) {
        guard !name.isEmpty, peers[peer].givenName != name else { return }
        let before = peers[peer].name
        peers[peer].givenName = name
        emitKnown(peer, &turn)
        guard before != name, let link = link(to: peer) else { return }
        emit(.nameChanged(name), toUsersOf: link, &turn)
    }
}
