import BluethroatBluetoothValues

/// Finds everything a server has: services, what they include, characteristics, descriptors.
///
/// Includes and characteristics are asked for over all handles at once, and fall to the services they stand in.
struct FullDiscovery: ClientStages {
    /// What is being looked for, one thing after the other.
    private enum Stage {
        case services(ServiceDiscovery)
        case includes(IncludeDiscovery)
        case characteristics(CharacteristicDiscovery)
        case descriptors(DescriptorDiscovery)
        case done
    }

    private var stage = Stage.services(ServiceDiscovery(uuid: nil))
    private var database = RemoteDatabase()

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        while true {
            // The stage is taken out before it is changed, so that its lists are not copied.
            switch takeOut() {
            case .services(var services):
                if let request = services.nextRequest(mtu: mtu) {
                    stage = .services(services)
                    return request
                }
                database.services = services.found
                if !database.services.isEmpty { stage = .includes(IncludeDiscovery(HandleScan.everything)) }
            case .includes(var includes):
                if let request = includes.nextRequest(mtu: mtu) {
                    stage = .includes(includes)
                    return request
                }
                place(includes.found)
                stage = .characteristics(CharacteristicDiscovery(HandleScan.everything, uuid: nil))
            case .characteristics(var characteristics):
                if let request = characteristics.nextRequest(mtu: mtu) {
                    stage = .characteristics(characteristics)
                    return request
                }
                place(characteristics.found)
                stage = .descriptors(DescriptorDiscovery(gaps))
            case .descriptors(var descriptors):
                if let request = descriptors.nextRequest(mtu: mtu) {
                    stage = .descriptors(descriptors)
                    return request
                }
                place(descriptors.found)
                trim()
            case .done: return nil
            }
        }
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        switch takeOut() {
        case .services(var services):
            defer { stage = .services(services) }
            try services.handleResponse(response, mtu: mtu)
        case .includes(var includes):
            defer { stage = .includes(includes) }
            try includes.handleResponse(response, mtu: mtu)
        case .characteristics(var characteristics):
            defer { stage = .characteristics(characteristics) }
            try characteristics.handleResponse(response, mtu: mtu)
        case .descriptors(var descriptors):
            defer { stage = .descriptors(descriptors) }
            try descriptors.handleResponse(response, mtu: mtu)
        case .done: break
        }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        switch takeOut() {
        case .services(var services):
            defer { stage = .services(services) }
            try services.handleError(refusal)
        case .includes(var includes):
            defer { stage = .includes(includes) }
            try includes.handleError(refusal)
        case .characteristics(var characteristics):
            defer { stage = .characteristics(characteristics) }
            try characteristics.handleError(refusal)
        case .descriptors(var descriptors):
            defer { stage = .descriptors(descriptors) }
            try descriptors.handleError(refusal)
        case .done: break
        }
    }

    private mutating func takeOut() -> Stage {
        var whole = Stage.done
        swap(&whole, &stage)
        return whole
    }

    var result: ProcedureResult { .database(database) }

    /// Includes fall to their services; a service that is only included is a secondary one.
    private mutating func place(_ includes: [RemoteInclude]) {
        for include in includes {
            let before = lastService(from: include.service.upperBound)
            if let before, database.services[before].handles.overlaps(include.service) { continue }
            let service = RemoteService(uuid: include.uuid, isPrimary: false, handles: include.service)
            database.services.insert(service, at: (before ?? -1) + 1)
        }
        for include in includes {
            if let owner = service(holding: include.handle) { database.services[owner].includes.append(include) }
        }
    }

    /// Characteristics fall to their services; those that stand in none belong to a secondary service that is
    /// not included anywhere, and are left out.
    private mutating func place(_ characteristics: [RemoteCharacteristic]) {
        for found in characteristics {
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

    private mutating func place(_ descriptors: [RemoteDescriptor]) {
        var rest = descriptors[...]
        for service in database.services.indices {
            for index in database.services[service].characteristics.indices {
                let end = database.services[service].characteristics[index].endHandle
                let own = rest.prefix { $0.handle <= end }
                database.services[service].characteristics[index].descriptors = Array(own)
                rest = rest.dropFirst(own.count)
            }
        }
    }

    /// The database is complete, and may be kept for long.
    private mutating func trim() {
        for index in database.services.indices {
            database.services[index].characteristics = database.services[index].characteristics.trimmed()
        }
        database.services = database.services.trimmed()
    }

    private func service(holding handle: AttributeHandle) -> Int? {
        lastService(from: handle).flatMap { handle <= database.services[$0].handles.upperBound ? $0 : nil }
    }

    /// The last service that begins at a handle or before it. Services stand in order and do not overlap; a server with
    /// tens of thousands of them must not cost seconds.
    private func lastService(from handle: AttributeHandle) -> Int? {
        var low = 0
        var high = database.services.count
        while low < high {
            let middle = (low + high) / 2
            if database.services[middle].handles.lowerBound <= handle { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
