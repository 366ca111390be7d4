import BluethroatBluetoothValues
import BluethroatHost

/// The services of all apps in one database. What stays there keeps its handles.
extension PeripheralCore {
    /// The services that the phone has by itself.
    func publishOwnServices(_ turn: inout ServiceTurn) {
        // Where services of these kinds were put there before, those are the phone's.
        turn.host.adopt(ownServices)
    }

    mutating func add(_ service: LocalService, of session: SessionID, _ turn: inout ServiceTurn) {
        do {
            try publish(service, of: session, &turn)
            turn.emit(.serviceAdded(service.id, nil), to: session)
        } catch {
            turn.emit(.serviceAdded(service.id, .local(error)), to: session)
        }
    }

    private mutating func publish(
        _ service: LocalService,
        of session: SessionID,
        _ turn: inout ServiceTurn
    ) throws(LocalFault) {
        guard !isReserved(service.uuid) else { throw .uuidNotAllowed }
        var includes: [IncludeDefinition] = []
        for id in service.includes {
            let included = published.first { $0.session == session && $0.service.id == id }
            guard let included else { throw .invalidParameters }
            includes.append(IncludeDefinition(.handle(included.handles.range.lowerBound)))
        }
        let definition = ServiceDefinition(
            service.uuid,
            isPrimary: service.isPrimary,
            includes: includes,
            characteristics: try service.characteristics.map { characteristic throws(LocalFault) in
                try characteristic.definition
            }
        )
        let added: [ServiceHandles]
        do {
            added = try turn.host.addServices([definition], at: turn.now, into: &turn.actions)
        } catch .outOfHandles {
            throw .outOfSpace
        } catch {
            throw .invalidParameters
        }
        guard let new = added.first else { throw .unknown }
        published.append(PublishedService(session: session, service: service, handles: new))
        for (characteristic, place) in zip(service.characteristics, new.characteristics) {
            let owner = CharacteristicOwner(session: session, characteristic: characteristic.id)
            handles[owner] = place.value
            owners[place.value] = owner
        }
    }

    /// The services that iOS keeps for itself. Written as 128 bits they pass.
    private func isReserved(_ uuid: BluetoothUUID) -> Bool {
        guard uuid.width == .bits16 else { return false }
        switch uuid.short {
        case 0x1800, 0x1801: return true
        case 0x1805, 0x180A, 0x180F, 0x1812, 0x181E: return !settings.allowsReservedServices
        default: return false
        }
    }

    /// Removes those of an app's services that are meant, the last first, so that those that include others go before
    /// them.
    mutating func removeServices(
        of session: SessionID,
        _ turn: inout ServiceTurn,
        where isMeant: (LocalServiceID) -> Bool = { _ in true }
    ) {
        for index in published.indices.reversed() {
            let removed = published[index]
            guard removed.session == session, isMeant(removed.service.id) else { continue }
            let isIncluded = published.contains {
                $0.session == session && $0.service.includes.contains(removed.service.id)
            }
            if isIncluded {
                turn.note(
                    .includedServiceRemoved,
                    "API MISUSE: service \(removed.service.uuid) was removed before one that includes it",
                    of: session
                )
            }
            published.remove(at: index)
            refuseRequests(to: removed.service, of: session, &turn)
            for (characteristic, place) in zip(removed.service.characteristics, removed.handles.characteristics) {
                handles[CharacteristicOwner(session: session, characteristic: characteristic.id)] = nil
                owners[place.value] = nil
                for client in clients.indices { clients[client].subscriptions.removeAll { $0 == place.value } }
                dropUpdates(of: place.value, &turn)
            }
            try? turn.host.removeService(at: removed.handles.range.lowerBound, at: turn.now, into: &turn.actions)
        }
    }

    /// The state is below off: the database is emptied, and nothing is advertised any more.
    mutating func forgetEverything(_ turn: inout ServiceTurn) {
        for published in published.reversed() {
            refuseRequests(to: published.service, of: published.session, &turn)
            try? turn.host.removeService(at: published.handles.range.lowerBound, at: turn.now, into: &turn.actions)
        }
        published = []
        handles = [:]
        owners = [:]
        advertisements = []
        frozen = [:]
        onAir = nil
    }
}
