public import BluethroatBluetoothValues

/// What a client has found out about a server: its services and what is in them, in the order of their handles.
public struct RemoteDatabase: Hashable, Sendable {
    public var services: [RemoteService]

    public init(services: [RemoteService] = []) { self.services = services }

    /// The first service with this UUID.
    public func service(_ uuid: BluetoothUUID) -> RemoteService? { services.first { $0.uuid == uuid } }

    /// The first characteristic with this UUID, in the first service with that UUID, or in any.
    public func characteristic(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> RemoteCharacteristic? {
        for candidate in services where service == nil || candidate.uuid == service {
            if let found = candidate.characteristic(uuid) { return found }
        }
        return nil
    }
}

/// A service of a server. Core 6.0, Vol 3, Part G, 3.1.
public struct RemoteService: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var isPrimary: Bool
    public var handles: ClosedRange<AttributeHandle>
    public var includes: [RemoteInclude]
    public var characteristics: [RemoteCharacteristic]

    public init(
        uuid: BluetoothUUID,
        isPrimary: Bool = true,
        handles: ClosedRange<AttributeHandle>,
        includes: [RemoteInclude] = [],
        characteristics: [RemoteCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.handles = handles
        self.includes = includes
        self.characteristics = characteristics
    }

    /// The first characteristic with this UUID.
    public func characteristic(_ uuid: BluetoothUUID) -> RemoteCharacteristic? {
        characteristics.first { $0.uuid == uuid }
    }
}

/// A service's reference to another. Core 6.0, Vol 3, Part G, 3.2.
public struct RemoteInclude: Hashable, Sendable {
    /// Where the reference stands.
    public var handle: AttributeHandle
    public var uuid: BluetoothUUID
    /// The handles of the other service.
    public var service: ClosedRange<AttributeHandle>

    public init(handle: AttributeHandle, uuid: BluetoothUUID, service: ClosedRange<AttributeHandle>) {
        self.handle = handle
        self.uuid = uuid
        self.service = service
    }
}

/// A characteristic of a server. Core 6.0, Vol 3, Part G, 3.3.
public struct RemoteCharacteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var properties: CharacteristicProperties
    /// Where its declaration stands.
    public var handle: AttributeHandle
    public var valueHandle: AttributeHandle
    /// The last handle that may hold one of its descriptors.
    public var endHandle: AttributeHandle
    public var descriptors: [RemoteDescriptor]

    public init(
        uuid: BluetoothUUID,
        properties: CharacteristicProperties,
        handle: AttributeHandle,
        valueHandle: AttributeHandle,
        endHandle: AttributeHandle,
        descriptors: [RemoteDescriptor] = []
    ) {
        self.uuid = uuid
        self.properties = properties
        self.handle = handle
        self.valueHandle = valueHandle
        self.endHandle = endHandle
        self.descriptors = descriptors
    }

    /// The first descriptor of this type.
    public func descriptor(_ uuid: BluetoothUUID) -> RemoteDescriptor? { descriptors.first { $0.uuid == uuid } }
}

/// A descriptor of a server. Core 6.0, Vol 3, Part G, 3.3.3.
public struct RemoteDescriptor: Hashable, Sendable {
    public var handle: AttributeHandle
    public var uuid: BluetoothUUID

    public init(handle: AttributeHandle, uuid: BluetoothUUID) {
        self.handle = handle
        self.uuid = uuid
    }
}
