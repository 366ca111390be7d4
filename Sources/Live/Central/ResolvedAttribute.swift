public import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost

/// An attribute of a peer that is known well enough to be read, written or subscribed to.
public struct ResolvedAttribute: Hashable, Sendable {
    /// Where it is on the server.
    public var handle: AttributeHandle
    /// Nil where only the handle was given.
    public var uuid: BluetoothUUID?
    /// The characteristic whose value it is, where that is known.
    public var characteristic: RemoteCharacteristic?
}

extension RemoteDatabase {
    /// Finds what a path names. Naming several is wrong usage, naming none is the peer's no.
    public func resolve(_ path: AttributePath) throws(OperationFailure) -> ResolvedAttribute {
        let found: [ResolvedAttribute] = candidates(path)
        guard let first = found.first else {
            throw OperationFailure("the device has no \(path); `bluethroat inspect` lists what it has")
        }
        guard found.count == 1 else {
            let names = found.map { "\($0.handle) in \(service(of: $0.handle))" }.joined(separator: ", ")
            // Of one service a handle alone tells them apart.
            let way = path.hasService ? "one of these handles" : "a handle, or SERVICE/\(path)"
            throw OperationFailure("\(path) is there more than once: \(names); give \(way)", .wrongUsage)
        }
        return first
    }

    /// What the service is called in which a handle is.
    private func service(of handle: AttributeHandle) -> String {
        services.first { $0.handles.contains(handle) }?.uuid.description ?? "no service"
    }

    private func candidates(_ path: AttributePath) -> [ResolvedAttribute] {
        switch path {
        case .handle(let handle):
            let owner = services.flatMap(\.characteristics).first { $0.valueHandle == handle }
            return [ResolvedAttribute(handle: handle, characteristic: owner)]
        case .characteristic(let uuid, let service):
            return characteristics(uuid, in: service).map {
                ResolvedAttribute(handle: $0.valueHandle, uuid: $0.uuid, characteristic: $0)
            }
        case .descriptor(let uuid, let characteristic, let service):
            return characteristics(characteristic, in: service).flatMap(\.descriptors).filter { $0.uuid == uuid }.map {
                ResolvedAttribute(handle: $0.handle, uuid: $0.uuid)
            }
        }
    }

    private func characteristics(_ uuid: BluetoothUUID, in service: BluetoothUUID?) -> [RemoteCharacteristic] {
        services.filter { service == nil || $0.uuid == service }.flatMap(\.characteristics).filter { $0.uuid == uuid }
    }
}
