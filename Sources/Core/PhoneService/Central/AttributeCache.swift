import BluethroatBluetoothValues
import BluethroatHost

/// What was found in a peer so far, for all apps of a phone.
struct AttributeCache {
    /// In the order of their handles. Services that only others include are not primary.
    private(set) var services: [RemoteService] = []
    /// Whether all primary services are known.
    private(set) var hasServices = false
    private var withIncludes: Set<AttributeHandle> = []
    private var withCharacteristics: Set<AttributeHandle> = []
    private var withDescriptors: Set<AttributeHandle> = []

    var primaryServices: [RemoteService] { services.filter(\.isPrimary) }

    func service(at handle: AttributeHandle) -> RemoteService? { index(of: handle).map { services[$0] } }

    func characteristic(at valueHandle: AttributeHandle) -> RemoteCharacteristic? {
        guard let service = services.first(where: { $0.handles.contains(valueHandle) }) else { return nil }
        return service.characteristics.first { $0.valueHandle == valueHandle }
    }

    /// What a service includes; nil if that was not asked for yet.
    func includes(of service: AttributeHandle) -> [RemoteInclude]? {
        withIncludes.contains(service) ? self.service(at: service)?.includes : nil
    }

    /// What is in a service; nil if that was not asked for yet.
    func characteristics(of service: AttributeHandle) -> [RemoteCharacteristic]? {
        withCharacteristics.contains(service) ? self.service(at: service)?.characteristics : nil
    }

    /// The descriptors of a characteristic; nil if they were not asked for yet.
    func descriptors(of characteristic: AttributeHandle) -> [RemoteDescriptor]? {
        withDescriptors.contains(characteristic) ? self.characteristic(at: characteristic)?.descriptors : nil
    }

    /// The value of the Service Changed characteristic; nil if there is none, or it was not found yet.
    var serviceChanged: AttributeHandle? {
        let attributes = services.first { $0.uuid == .genericAttribute }
        return attributes?.characteristics.first { $0.uuid == .serviceChanged }?.valueHandle
    }

    // MARK: Finding

    mutating func store(services found: [RemoteService]) {
        hasServices = true
        for service in found where index(of: service.handles.lowerBound) == nil { insert(service) }
    }

    mutating func store(includes found: [RemoteInclude], of service: AttributeHandle) {
        guard let index = index(of: service) else { return }
        services[index].includes = found
        withIncludes.insert(service)
        for include in found where self.index(of: include.service.lowerBound) == nil {
            insert(RemoteService(uuid: include.uuid, isPrimary: false, handles: include.service))
        }
    }

    mutating func store(characteristics found: [RemoteCharacteristic], of service: AttributeHandle) {
        guard let index = index(of: service) else { return }
        services[index].characteristics = found
        withCharacteristics.insert(service)
    }

    mutating func store(descriptors found: [RemoteDescriptor], of characteristic: AttributeHandle) {
        for index in services.indices where services[index].handles.contains(characteristic) {
            let place = services[index].characteristics.firstIndex { $0.valueHandle == characteristic }
            if let place { services[index].characteristics[place].descriptors = found }
        }
        withDescriptors.insert(characteristic)
    }

    /// The table has changed between two handles. Returns which services are gone; all are to be looked for again.
    mutating func invalidate(_ range: ClosedRange<AttributeHandle>) -> [AttributeHandle] {
        let gone = services.filter { $0.handles.overlaps(range) }
        services.removeAll { $0.handles.overlaps(range) }
        hasServices = false
        withIncludes = withIncludes.filter { index(of: $0) != nil }
        withCharacteristics = withCharacteristics.filter { index(of: $0) != nil }
        withDescriptors = withDescriptors.filter { characteristic(at: $0) != nil }
        return gone.map(\.handles.lowerBound)
    }

    private func index(of service: AttributeHandle) -> Int? {
        services.firstIndex { $0.handles.lowerBound == service }
    }

    private mutating func insert(_ service: RemoteService) {
        let place = services.firstIndex { $0.handles.lowerBound > service.handles.lowerBound } ?? services.count
        services.insert(service, at: place)
    }
}

extension BluetoothUUID {
    static let genericAccess = Self(0x1800)
    static let genericAttribute = Self(0x1801)
    static let humanInterfaceDevice = Self(0x1812)
    /// Apple's, 7905F431-B5CE-4E99-A40F-4B1E122D00D0.
    static let notificationCenter = Self(high: 0x7905_F431_B5CE_4E99, low: 0xA40F_4B1E_122D_00D0)
    static let deviceName = Self(0x2A00)
    static let serviceChanged = Self(0x2A05)
    static let clientConfiguration = Self(0x2902)
}
