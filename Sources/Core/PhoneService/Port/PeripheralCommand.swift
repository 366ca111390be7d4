public import BluethroatBluetoothValues
public import BluethroatHost

/// What a peripheral manager wants.
public enum PeripheralCommand: Sendable {
    case add(LocalService)
    case remove(LocalServiceID)
    case removeAllServices
    case startAdvertising(AdvertisementRequest)
    case stopAdvertising
    /// Sends a value to those who subscribed, or to some of them. One unit of the update window was taken for it.
    case update(LocalCharacteristicID, [UInt8], to: [PeerID]?)
    case answer(LocalRequestID, LocalAnswer)
    case setLatency(ConnectionLatency, for: PeerID)
    case publishChannel(requiresEncryption: Bool)
    case unpublishChannel(psm: UInt16)
}

/// Names a service that a manager has published. The manager numbers its own.
public struct LocalServiceID: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }
}

/// Names a characteristic that a manager has published. The manager numbers its own.
public struct LocalCharacteristicID: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }
}

/// Names a read, a write, or a batch of writes that an app has to answer.
public struct LocalRequestID: Hashable, Sendable {
    public let number: UInt32
    /// Whether the client waits for the answer; false for a write without a response, whose answer is dropped.
    public let isAwaited: Bool

    public init(number: UInt32, isAwaited: Bool = true) {
        self.number = number
        self.isAwaited = isAwaited
    }
}

/// How an app answers a request, or a batch of them.
public enum LocalAnswer: Hashable, Sendable {
    /// What was to be read, from the requested offset on; empty for writes.
    case accepted([UInt8])
    /// Refused, because of this one of several writes.
    case refused(ATTError, LocalCharacteristicID?)
}

/// A service to be published: a copy of what the app had put together at that time.
public struct LocalService: Sendable {
    public var id: LocalServiceID
    public var uuid: BluetoothUUID
    public var isPrimary: Bool
    public var includes: [LocalServiceID]
    public var characteristics: [LocalCharacteristic]

    public init(
        id: LocalServiceID,
        uuid: BluetoothUUID,
        isPrimary: Bool,
        includes: [LocalServiceID] = [],
        characteristics: [LocalCharacteristic] = []
    ) {
        self.id = id
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A characteristic to be published.
public struct LocalCharacteristic: Sendable {
    public var id: LocalCharacteristicID
    public var uuid: BluetoothUUID
    /// The bits of `CBCharacteristicProperties`.
    public var properties: UInt
    /// The bits of `CBAttributePermissions`.
    public var permissions: UInt
    /// A value that never changes and that the service hands out by itself; nil where the app is asked each time.
    public var value: [UInt8]?
    public var descriptors: [LocalDescriptor]

    public init(
        id: LocalCharacteristicID,
        uuid: BluetoothUUID,
        properties: UInt,
        permissions: UInt,
        value: [UInt8]? = nil,
        descriptors: [LocalDescriptor] = []
    ) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
        self.permissions = permissions
        self.value = value
        self.descriptors = descriptors
    }
}

/// A descriptor to be published, with a value that never changes.
public struct LocalDescriptor: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var value: [UInt8]

    public init(uuid: BluetoothUUID, value: [UInt8]) {
        self.uuid = uuid
        self.value = value
    }
}

/// What an app wants advertised: a name and services, or an iBeacon, never more.
public struct AdvertisementRequest: Hashable, Sendable {
    public var localName: String?
    public var services: [BluetoothUUID]
    /// What Core Location has put together for an iBeacon.
    public var beacon: BeaconAdvertisement?
    /// Keys that the app gave and that are not advertised.
    public var ignoredKeys: [String]

    public init(
        localName: String? = nil,
        services: [BluetoothUUID] = [],
        beacon: BeaconAdvertisement? = nil,
        ignoredKeys: [String] = []
    ) {
        self.localName = localName
        self.services = services
        self.beacon = beacon
        self.ignoredKeys = ignoredKeys
    }
}

/// How fast an app would like a connection to be; the values are those of CoreBluetooth.
public enum ConnectionLatency: Int, Hashable, Sendable {
    case low = 0
    case medium = 1
    case high = 2
}
