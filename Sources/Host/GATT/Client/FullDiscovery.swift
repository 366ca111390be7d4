import BluetoothValues

/// Finds everything a server has: services, what they include, characteristics, descriptors.
///
/// Includes and characteristics are asked for over all handles at once, and fall to the services they stand in.
struct FullDiscovery: ClientStages {
    private enum Stage {
        case services
        case includes
        case characteristics
        case descriptors
        case done
    }

    private var stage = Stage.services
    private var services = ServiceDiscovery(uuid: nil)
    private var includes = IncludeDiscovery(HandleScan.everything)
    private var characteristics = CharacteristicDiscovery(HandleScan.everything, uuid: nil)
    private var descriptors = DescriptorDiscovery([])
    private var database = RemoteDatabase()

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        while true {
            switch stage {
            case .services:
                if let request = services.nextRequest(mtu: mtu) { return request }
                database.services = services.found
                stage = database.services.isEmpty ? .done : .includes
            case .includes:
                if let request = includes.nextRequest(mtu: mtu) { return request }
                placeIncludes()
                stage = .characteristics
            case .characteristics:
                if let request = characteristics.nextRequest(mtu: mtu) { return request }
                placeCharacteristics()
                descriptors = DescriptorDiscovery(gaps)
                stage = .descriptors
            case .descriptors:
                if let request = descriptors.nextRequest(mtu: mtu) { return request }
                placeDescriptors()
                stage = .done
            case .done: return nil
            }
        }
    }

    mutating func receive(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        switch stage {
        case .services: try services.receive(response, mtu: mtu)
        case .includes: try includes.receive(response, mtu: mtu)
        case .characteristics: try characteristics.receive(response, mtu: mtu)
        case .descriptors: try descriptors.receive(response, mtu: mtu)
        case .done: break
        }
    }

    mutating func receive(_ refusal: ErrorResponse) throws(ProcedureError) {
        switch stage {
        case .services: try services.receive(refusal)
        case .includes: try includes.receive(refusal)
        case .characteristics: try characteristics.receive(refusal)
        case .descriptors: try descriptors.receive(refusal)
        case .done: break
        }
    }

    var result: ProcedureResult { .database(database) }

    /// Includes fall to their services; a service that is only included is a secondary one.
    private mutating func placeIncludes() {
        for include in includes.found {
            let isKnown = database.services.contains { $0.handles.overlaps(include.service) }
            if !isKnown {
                let service = RemoteService(uuid: include.uuid, isPrimary: false, handles: include.service)
                let place = database.services.firstIndex { $0.handles.lowerBound > include.service.lowerBound }
                database.services.insert(service, at: place ?? database.services.count)
            }
        }
        for include in includes.found {
            if let owner = service(holding: include.handle) { database.services[owner].includes.append(include) }
        }
    }

    /// Characteristics fall to their services; those that stand in none belong to a secondary service that nobody
    /// includes, and are left out.
    private mutating func placeCharacteristics() {
        for found in characteristics.found {
            guard let owner = service(holding: found.handle),
                found.valueHandle <= database.services[owner].handles.upperBound
            else { continue }
            var characteristic = found
            characteristic.endHandle = min(found.endHandle, database.services[owner].handles.upperBound)
            database.services[owner].characteristics.append(characteristic)
        }
    }

    /// The handles behind each characteristic's value where descriptors may stand.
    private var gaps: [ClosedRange<AttributeHandle>] {
        database.services.flatMap(\.characteristics).compactMap(\.descriptorHandles)
    }

    private mutating func placeDescriptors() {
        var rest = descriptors.found[...]
        for service in database.services.indices {
            for index in database.services[service].characteristics.indices {
                let end = database.services[service].characteristics[index].endHandle
                let own = rest.prefix { $0.handle <= end }
                database.services[service].characteristics[index].descriptors = Array(own)
                rest = rest.dropFirst(own.count)
            }
        }
    }

    private func service(holding handle: AttributeHandle) -> Int? {
        database.services.lastIndex { $0.handles.lowerBound <= handle }
            .flatMap { handle <= database.services[$0].handles.upperBound ? $0 : nil }
    }
}
