import BluethroatBluetoothValues
import BluethroatHost

extension PeerEvent {
    /// Whether it says what there is in a peer.
    var isAboutAttributes: Bool {
        switch self {
        case .servicesDiscovered, .characteristicsDiscovered, .descriptorsDiscovered, .servicesInvalidated: true
        default: false
        }
    }
}

/// What an app has heard of what there is in a peer, on the present connection.
struct SeenAttributes {
    private var services: Set<AttributeHandle> = []
    private var characteristics: Set<AttributeHandle> = []
    /// Characteristics whose descriptors were asked for.
    private var withDescriptors: Set<AttributeHandle> = []

    mutating func note(_ event: PeerEvent) {
        switch event {
        case .servicesDiscovered(.success(let found)): services.formUnion(found.map(\.handles.lowerBound))
        case .characteristicsDiscovered(_, .success(let found)): characteristics.formUnion(found.map(\.valueHandle))
        case .descriptorsDiscovered(let characteristic, .success): withDescriptors.insert(characteristic)
        case .servicesInvalidated(let gone): services.subtract(gone)
        default: break
        }
    }

    /// Of all that is known, what the app has heard of.
    func found(in cache: AttributeCache) -> [RemoteService] {
        cache.services.filter { services.contains($0.handles.lowerBound) }.map { service in
            var service = service
            service.includes = []
            service.characteristics = service.characteristics.filter { characteristics.contains($0.valueHandle) }
            for index in service.characteristics.indices
            where !withDescriptors.contains(service.characteristics[index].valueHandle) {
                service.characteristics[index].descriptors = []
            }
            return service
        }
    }
}
