import BluetoothValues
import Host
import VirtualTime

/// The jobs of a connection: each looks whether what it needs to know is known, has it found out if not, and begins
/// again.
extension BluetoothService {
    /// Goes on with what waits.
    func advance(_ link: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        while central.links[link].current == nil, !central.links[link].isEnding, !central.links[link].jobs.isEmpty {
            let job = central.links[link].jobs.removeFirst()
            central.links[link].current = job
            begin(job, on: link, host: host, at: now, into: &actions)
        }
    }

    private func begin(_ job: LinkJob, on link: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        do {
            if let step = try nextStep(of: job, on: link, host: host, at: now, into: &actions) {
                central.links[link].step = step
            } else {
                finish(link)
            }
        } catch {
            fail(job, error.fault, on: link)
        }
    }

    private func finish(_ link: Int) {
        central.links[link].current = nil
        central.links[link].step = nil
    }

    private func fail(_ job: LinkJob, _ fault: ServiceFault, on link: Int) {
        finish(link)
        guard let session = job.session, case .order(let order) = job.work, let news = order.failure(fault) else {
            return
        }
        tell(news, on: link, to: session)
    }

    /// A procedure is over.
    func completed(
        _ procedure: ProcedureID,
        on id: ConnectionID,
        _ result: ProcedureResult,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let link = central.link(id), let job = central.links[link].current, let step = central.links[link].step,
            step.procedure == procedure
        else { return }
        let peer = central.links[link].peer
        switch (step, result) {
        case (_, .failed(.disconnected)):
            // Nobody is told what became of it, nor of what was to come after it.
            central.links[link].jobs = []
            finish(link)
        case (.last, .failed(.refused(let error, _, _)))
        where error.asksForSecurity && !job.wasSecured
            && secure(link, host: host, at: now, into: &actions):
            central.links[link].current?.wasSecured = true
        case (_, .failed(let error)): fail(job, error.fault, on: link)
        case (.services, .services(let found)):
            central.peers[peer].attributes.store(services: found)
            for client in central.clients.indices { tellKnown(peer, to: client) }
            tellWatchers(of: peer)
            begin(job, on: link, host: host, at: now, into: &actions)
        case (.includes(_, let service), .includes(let found)):
            central.peers[peer].attributes.store(includes: found, of: service)
            begin(job, on: link, host: host, at: now, into: &actions)
        case (.characteristics(_, let service), .characteristics(let found)):
            central.peers[peer].attributes.store(characteristics: found, of: service)
            begin(job, on: link, host: host, at: now, into: &actions)
        case (.descriptors(_, let characteristic), .descriptors(let found)):
            central.peers[peer].attributes.store(descriptors: found, of: characteristic)
            begin(job, on: link, host: host, at: now, into: &actions)
        default:
            finish(link)
            deliver(result, of: job, on: link)
        }
        advance(link, host: host, at: now, into: &actions)
    }

    /// The end of a job that has succeeded.
    private func deliver(_ result: ProcedureResult, of job: LinkJob, on link: Int) {
        if case .readName = job.work, case .values(let values) = result, let name = values.first?.value {
            return rename(central.links[link].peer, String(decoding: name, as: UTF8.self))
        }
        guard let session = job.session, case .order(let order) = job.work else { return }
        switch (order, result) {
        case (.read(let handle), .value(let value)):
            tell(.value(handle, .success(value)), on: link, to: session)
        case (.readDescriptor(let handle), .value(let value)):
            tell(.descriptorValue(handle, .success(value)), on: link, to: session)
        case (.write(let handle, _), .written): tell(.written(handle, nil), on: link, to: session)
        case (.writeDescriptor(let handle, _), .written): tell(.descriptorWritten(handle, nil), on: link, to: session)
        case (.setNotifying(let handle, let isOn), .written):
            central.links[link].subscribers[handle, default: []].removeAll { $0 == session }
            if isOn { central.links[link].subscribers[handle, default: []].append(session) }
            tell(.notifying(handle, .success(isOn)), on: link, to: session)
        default: if let news = order.failure(.local(.unknown)) { tell(news, on: link, to: session) }
        }
    }

    /// The peer has said what it is called.
    private func rename(_ peer: Int, _ name: String) {
        guard !name.isEmpty, central.peers[peer].givenName != name else { return }
        let before = central.peers[peer].name
        central.peers[peer].givenName = name
        for client in central.clients.indices { tellKnown(peer, to: client) }
        guard before != name, let link = central.link(to: peer) else { return }
        tellUsers(of: link, .nameChanged(name))
    }
}

extension ATTError {
    /// Whether the peer would answer differently on an encrypted link.
    var asksForSecurity: Bool {
        self == .insufficientAuthentication || self == .insufficientEncryption || self == .encryptionKeySizeTooShort
    }
}

extension ProcedureError {
    var fault: ServiceFault {
        switch self {
        case .refused(let error, _, _): .att(error)
        case .timedOut: .local(.connectionTimeout)
        case .disconnected: .local(.notConnected)
        case .malformedResponse, .contradictoryResponse, .echoMismatch, .tooLong: .local(.unknown)
        }
    }
}

extension PeerCommand {
    /// How the app is told that it came to nothing.
    func failure(_ fault: ServiceFault) -> PeerEvent? {
        switch self {
        case .discoverServices: .servicesDiscovered(.failure(fault))
        case .discoverIncludedServices(_, let handle): .includedServicesDiscovered(of: handle, .failure(fault))
        case .discoverCharacteristics(_, let handle): .characteristicsDiscovered(of: handle, .failure(fault))
        case .discoverDescriptors(let handle): .descriptorsDiscovered(of: handle, .failure(fault))
        case .read(let handle): .value(handle, .failure(fault))
        case .readDescriptor(let handle): .descriptorValue(handle, .failure(fault))
        case .write(let handle, _): .written(handle, fault)
        case .writeDescriptor(let handle, _): .descriptorWritten(handle, fault)
        case .setNotifying(let handle, _): .notifying(handle, .failure(fault))
        case .readRSSI: .signalStrength(.failure(fault))
        case .openChannel: .channelRefused(fault)
        case .startChannelSounding: .channelSoundingEnded(fault)
        case .writeWithoutResponse: nil
        }
    }
}
