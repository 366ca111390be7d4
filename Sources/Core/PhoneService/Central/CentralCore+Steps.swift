import BluethroatBluetoothValues
import BluethroatHost

/// Why a job cannot go on.
struct JobFailure: Error {
    let fault: ServiceFault
}

/// What a job needs next.
extension CentralCore {
    /// Asks the peer for what is still to be known, or does what the job is about; nil if it is done, from what was
    /// known already.
    mutating func nextStep(
        of job: LinkJob,
        on link: LinkIndex,
        _ turn: inout ServiceTurn
    ) throws(JobFailure) -> LinkStep? {
        do {
            return try nextStepOrError(of: job, on: link, &turn)
        } catch let failure as JobFailure {
            throw failure
        } catch let error as OrderError {
            switch error {
            case .valueTooLong: throw JobFailure(fault: .att(.invalidAttributeValueLength))
            case .tooManyProcedures: throw JobFailure(fault: .local(.outOfSpace))
            case .noSuchConnection, .attTimedOut, .notPoweredOn: throw JobFailure(fault: .local(.notConnected))
            default: throw JobFailure(fault: .local(.unknown))
            }
        } catch {
            throw JobFailure(fault: .local(.unknown))
        }
    }

    private mutating func nextStepOrError(
        of job: LinkJob,
        on link: LinkIndex,
        _ turn: inout ServiceTurn
    ) throws -> LinkStep? {
        let id = links[link].id
        let attributes = peers[links[link].peer].attributes
        switch job.work {
        case .exchangeMTU: return .last(try turn.host.exchangeMTU(id, at: turn.now, into: &turn.actions))
        case .readName: return .last(try turn.host.readByUUID(id, .deviceName, at: turn.now, into: &turn.actions))
        case .findServices:
            return attributes.hasServices
                ? nil : .services(try turn.host.discoverServices(id, at: turn.now, into: &turn.actions))
        case .watchServices:
            guard let service = attributes.services.first(where: { $0.uuid == .genericAttribute }) else { return nil }
            if attributes.characteristics(of: service.handles.lowerBound) == nil {
                return try find(characteristicsOf: service, id, &turn)
            }
            guard let handle = attributes.serviceChanged else { return nil }
            guard let descriptors = attributes.descriptors(of: handle) else {
                return try find(descriptorsOf: handle, in: attributes, id, &turn)
            }
            guard let configuration = descriptors.first(where: { $0.uuid == .clientConfiguration }) else { return nil }
            return .last(try turn.host.write([2, 0], id, configuration.handle, at: turn.now, into: &turn.actions))
        case .unsubscribe(let handle):
            // Another app may want it by now.
            let configuration = attributes.descriptors(of: handle)?.first { $0.uuid == .clientConfiguration }
            guard let configuration, links[link].subscribers[handle]?.isEmpty ?? true else { return nil }
            return .last(try turn.host.write([0, 0], id, configuration.handle, at: turn.now, into: &turn.actions))
        case .command(let command):
            guard let session = job.session else { return nil }
            return try nextStep(of: command, session, on: link, &turn)
        }
    }

    private mutating func nextStep(
        of command: PeerCommand,
        _ session: SessionID,
        on link: LinkIndex,
        _ turn: inout ServiceTurn
    ) throws -> LinkStep? {
        let id = links[link].id
        let attributes = peers[links[link].peer].attributes
        switch command {
        case .discoverServices(let wanted):
            guard attributes.hasServices else {
                return .services(try turn.host.discoverServices(id, at: turn.now, into: &turn.actions))
            }
            let found = attributes.primaryServices.filter { service in
                wants(wanted, service.uuid) && !(settings.hidesSystemServices && service.isUsedBySystem)
            }
            emit(.servicesDiscovered(.success(found.map(\.alone))), on: link, to: session, &turn)
        case .discoverIncludedServices(let wanted, let handle):
            guard let service = attributes.service(at: handle) else { throw JobFailure.staleHandle }
            guard let includes = attributes.includes(of: handle) else {
                let discovery = try turn.host.discoverIncludes(
                    id,
                    in: service.handles,
                    at: turn.now,
                    into: &turn.actions
                )
                return .includes(discovery, of: handle)
            }
            let found = includes.filter { wants(wanted, $0.uuid) }
            let services = found.compactMap { attributes.service(at: $0.service.lowerBound)?.alone }
            emit(.includedServicesDiscovered(of: handle, .success(services)), on: link, to: session, &turn)
        case .discoverCharacteristics(let wanted, let handle):
            guard let service = attributes.service(at: handle) else { throw JobFailure.staleHandle }
            guard let characteristics = attributes.characteristics(of: handle) else {
                return try find(characteristicsOf: service, id, &turn)
            }
            let found = characteristics.filter { wants(wanted, $0.uuid) }
            emit(.characteristicsDiscovered(of: handle, .success(found)), on: link, to: session, &turn)
        case .discoverDescriptors(let handle):
            guard let descriptors = attributes.descriptors(of: handle) else {
                return try find(descriptorsOf: handle, in: attributes, id, &turn)
            }
            emit(.descriptorsDiscovered(of: handle, .success(descriptors)), on: link, to: session, &turn)
        case .read(let handle), .readDescriptor(let handle):
            return .last(try turn.host.read(id, handle, at: turn.now, into: &turn.actions))
        case .write(let handle, let value), .writeDescriptor(let handle, let value):
            return .last(try turn.host.write(value, id, handle, at: turn.now, into: &turn.actions))
        case .setNotifying(let handle, let isOn):
            return try setNotifying(handle, isOn, session, on: link, &turn)
        case .openChannel(let psm):
            return try stepTowardsChannel(psm, for: session, on: link, &turn)
        case .writeWithoutResponse, .readRSSI, .startChannelSounding: break
        }
        return nil
    }

    /// Whether an app that names these wants to find one with this UUID. An empty list is taken for none.
    private func wants(_ named: [BluetoothUUID]?, _ uuid: BluetoothUUID) -> Bool {
        guard let named, !named.isEmpty else { return true }
        return named.contains(uuid)
    }

    /// Notifications are preferred where a characteristic offers both kinds. The peer hears only when the first app
    /// wants them, and when the last does not any more.
    private mutating func setNotifying(
        _ handle: AttributeHandle,
        _ isOn: Bool,
        _ session: SessionID,
        on link: LinkIndex,
        _ turn: inout ServiceTurn
    ) throws -> LinkStep? {
        let id = links[link].id
        let attributes = peers[links[link].peer].attributes
        guard let characteristic = attributes.characteristic(at: handle) else { throw JobFailure.staleHandle }
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw JobFailure(fault: .att(.requestNotSupported))
        }
        guard let descriptors = attributes.descriptors(of: handle) else {
            return try find(descriptorsOf: handle, in: attributes, id, &turn)
        }
        guard let configuration = descriptors.first(where: { $0.uuid == .clientConfiguration }) else {
            throw JobFailure(fault: .att(.attributeNotFound))
        }
        let subscribers = links[link].subscribers[handle] ?? []
        if isOn ? subscribers.isEmpty : subscribers == [session] || subscribers.isEmpty {
            let kind: Subscription = characteristic.properties.contains(.notify) ? .notifications : .indications
            let value = isOn ? kind.rawValue : 0
            return .last(try turn.host.write([value, 0], id, configuration.handle, at: turn.now, into: &turn.actions))
        }
        links[link].subscribers[handle] = subscribers.filter { $0 != session } + (isOn ? [session] : [])
        emit(.notifying(handle, .success(isOn)), on: link, to: session, &turn)
        return nil
    }

    private func find(
        characteristicsOf service: RemoteService,
        _ id: ConnectionID,
        _ turn: inout ServiceTurn
    ) throws -> LinkStep {
        let discovery = try turn.host.discoverCharacteristics(
            id,
            in: service.handles,
            at: turn.now,
            into: &turn.actions
        )
        return .characteristics(discovery, of: service.handles.lowerBound)
    }

    private func find(
        descriptorsOf handle: AttributeHandle,
        in attributes: AttributeCache,
        _ id: ConnectionID,
        _ turn: inout ServiceTurn
    ) throws -> LinkStep {
        guard let characteristic = attributes.characteristic(at: handle) else { throw JobFailure.staleHandle }
        return .descriptors(
            try turn.host.discoverDescriptors(id, of: characteristic, at: turn.now, into: &turn.actions),
            of: handle
        )
    }
}

extension JobFailure {
    static let staleHandle = Self(fault: .local(.invalidHandle))
}

extension RemoteService {
    /// Whether iOS uses the service itself and leaves it out of what apps find, asked for or not. Accessory Design
    /// Guidelines, R18, 40.12.
    fileprivate var isUsedBySystem: Bool { Self.usedBySystem.contains(uuid) }

    private static let usedBySystem: [BluetoothUUID] = [
        .genericAccess, .genericAttribute, .humanInterfaceDevice, .notificationCenter,
    ]

    /// Without what is in it.
    fileprivate var alone: Self { Self(uuid: uuid, isPrimary: isPrimary, handles: handles) }
}
