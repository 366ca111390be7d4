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
            let handles = found.map(\.handle.description).joined(separator: ", ")
            throw OperationFailure(
                "\(path) names several attributes: \(handles); give one of these handles",
                .wrongUsage
            )
        }
        return first
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
