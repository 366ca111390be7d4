import BluetoothValues
import Host
import VirtualTime

/// The services of all apps in one database. What stays there keeps its handles.
extension BluetoothService {
    /// The services that the phone has by itself.
    func publishOwnServices(host: Host, at now: Instant, into actions: inout HostActions) {
        var access = ServiceDefinition.genericAccess(name: settings.name, appearance: settings.appearance)
        // What no app has is refused.
        if !settings.nameIsReadable { access.characteristics[0].reads = .application }
        let own: [ServiceDefinition] = [access, .genericAttribute]
        // Where somebody has put services of these kinds there before, those are the phone's.
        guard host.database.rows.isEmpty else { return }
        _ = try? host.addServices(own, at: now, into: &actions)
    }

    func add(
        _ service: LocalService,
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        do {
            try publish(service, of: session, host: host, at: now, into: &actions)
            tell(.serviceAdded(service.id, nil), to: session)
        } catch {
            tell(.serviceAdded(service.id, .local(error)), to: session)
        }
    }

    private func publish(
        _ service: LocalService,
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) throws(LocalFault) {
        guard !isReserved(service.uuid) else { throw .uuidNotAllowed }
        var includes: [IncludeDefinition] = []
        for id in service.includes {
            let included = peripheral.published.first { $0.session == session && $0.service.id == id }
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
            added = try host.addServices([definition], at: now, into: &actions)
        } catch .outOfHandles {
            throw .outOfSpace
        } catch {
            throw .invalidParameters
        }
        guard let handles = added.first else { throw .unknown }
        peripheral.published.append(
            PeripheralSide.Published(session: session, service: service, handles: handles)
        )
        for (characteristic, place) in zip(service.characteristics, handles.characteristics) {
            let owner = PeripheralSide.Place(session: session, characteristic: characteristic.id)
            peripheral.handles[owner] = place.value
            peripheral.places[place.value] = owner
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
    func removeServices(
        of session: SessionID,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        where isMeant: (PeripheralSide.Published) -> Bool
    ) {
        for index in peripheral.published.indices.reversed() {
            let published = peripheral.published[index]
            guard published.session == session, isMeant(published) else { continue }
            let isIncluded = peripheral.published.contains {
                $0.session == session && $0.service.includes.contains(published.service.id)
            }
            if isIncluded {
                let sentence = "API MISUSE: service \(published.service.uuid) was removed before one that includes it"
                note(sentence, of: session, at: now)
            }
            peripheral.published.remove(at: index)
            for (characteristic, place) in zip(published.service.characteristics, published.handles.characteristics) {
                peripheral.handles[PeripheralSide.Place(session: session, characteristic: characteristic.id)] = nil
                peripheral.places[place.value] = nil
                for client in peripheral.clients.indices {
                    peripheral.clients[client].subscriptions.removeAll { $0 == place.value }
                }
                dropUpdates(of: place.value)
            }
            try? host.removeService(at: published.handles.range.lowerBound, at: now, into: &actions)
        }
    }
}

extension LocalCharacteristic {
    private enum Property {
        static let broadcast: UInt = 0x01
        static let extended: UInt = 0x80
        static let notifyEncrypted: UInt = 0x100
        static let indicateEncrypted: UInt = 0x200
    }

    private enum Permission {
        static let readable: UInt = 0x01
        static let writeable: UInt = 0x02
        static let readEncrypted: UInt = 0x04
        static let writeEncrypted: UInt = 0x08
    }

    /// The characteristic as it is to stand in the database.
    fileprivate var definition: CharacteristicDefinition {
        get throws(LocalFault) {
            guard properties & (Property.broadcast | Property.extended) == 0 else { throw .invalidParameters }
            guard (value?.count ?? 0) <= 512 else { throw .invalidParameters }
            var shown = CharacteristicProperties(rawValue: UInt8(truncatingIfNeeded: properties))
            if properties & Property.notifyEncrypted != 0 { shown.insert(.notify) }
            if properties & Property.indicateEncrypted != 0 { shown.insert(.indicate) }

            var permissions = AttributePermissions(
                read: access(Permission.readable, Permission.readEncrypted),
                write: access(Permission.writeable, Permission.writeEncrypted)
            )
            if value != nil {
                // A value that never changes is there to be read.
                shown = .read
                if !permissions.read.isAllowed { permissions.read = .open }
                permissions.write = .denied
            }
            var descriptors = try self.descriptors.map { descriptor throws(LocalFault) in
                try descriptor.definition
            }
            if properties & (Property.notifyEncrypted | Property.indicateEncrypted) != 0 {
                let permissions = AttributePermissions(read: .open, write: .encrypted)
                descriptors.insert(DescriptorDefinition(.clientConfiguration(permissions: permissions)), at: 0)
            }
            return CharacteristicDefinition(
                uuid,
                properties: shown,
                permissions: permissions,
                value: value ?? [],
                reads: value == nil ? .application : .stored,
                writes: .application,
                descriptors: descriptors
            )
        }
    }

    private func access(_ plain: UInt, _ encrypted: UInt) -> AttributeAccess {
        if permissions & encrypted != 0 { return .encrypted }
        return permissions & plain != 0 ? .open : .denied
    }
}

extension LocalDescriptor {
    /// The descriptors that clients configure are the system's.
    fileprivate var definition: DescriptorDefinition {
        get throws(LocalFault) {
            switch uuid.short {
            case 0x2900, 0x2902, 0x2903: throw .invalidParameters
            default: break
            }
            guard value.count <= 512 else { throw .invalidParameters }
            return DescriptorDefinition(.other(uuid, value: value))
        }
    }
}
