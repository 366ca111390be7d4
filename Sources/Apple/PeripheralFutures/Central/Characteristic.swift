public import CoreBluetooth

/// A characteristic of a peripheral's service.
public final class Characteristic: NSObject, @unchecked Sendable {
    struct State {
        var reads = RequestLine<Void>()
        var writes = RequestLine<(Data, CBCharacteristicWriteType)>()
        var notifyingChange: Promise<Void>?
        var updates: StreamPromise<Data?>?
    }

    public let uuid: CBUUID
    public private(set) weak var service: Service?

    let cbCharacteristic: CBCharacteristic
    let details = Guarded(State())
    let loops = SharedLoops()
    private let profile: CharacteristicProfile

    init(_ characteristic: CBCharacteristic, of service: Service) {
        uuid = characteristic.uuid
        cbCharacteristic = characteristic
        self.service = service
        profile =
            service.profile?.characteristicProfile(withUUID: characteristic.uuid)
            ?? CharacteristicProfile(uuid: characteristic.uuid.uuidString)
        super.init()
    }

    /// What its profile calls it; "Unknown" without one.
    public var name: String { profile.name }

    // MARK: What can be done with it

    public var properties: CBCharacteristicProperties { cbCharacteristic.properties }

    /// Whether one of the properties is there.
    public func propertyEnabled(_ property: CBCharacteristicProperties) -> Bool {
        !properties.isDisjoint(with: property)
    }

    public var canNotify: Bool {
        propertyEnabled([.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    public var canRead: Bool { propertyEnabled(.read) }

    public var canWrite: Bool { propertyEnabled([.write, .writeWithoutResponse]) }

    public var isNotifying: Bool { cbCharacteristic.isNotifying && hindrance == nil }

    /// How many reads have not been answered.
    public var pendingReadCount: Int { details.withLock(\.reads.count) }

    /// How many writes have not been answered.
    public var pendingWriteCount: Int { details.withLock(\.writes.count) }

    // MARK: Its value

    /// The value as it was last read or notified; nil before.
    public var dataValue: Data? { cbCharacteristic.value }

    /// The parts of the value, each under its name, as the profile has them.
    public var stringValue: [String: String]? { stringValue(dataValue) }

    /// The texts that the profile allows; none where there are too many to list.
    public var stringValues: [String] { profile.stringValues }

    /// The parts of some value, each under its name.
    public func stringValue(_ data: Data?) -> [String: String]? { data.flatMap { profile.stringValue($0) } }

    /// The value whose parts these are; nil if some are missing.
    public func data(fromString stringValue: [String: String]) -> Data? { profile.data(fromString: stringValue) }

    public func value<T: Deserializable>() -> T? { dataValue.flatMap { T.deserialize($0) } }

    public func value<T: RawDeserializable>() -> T? where T.RawType: Deserializable {
        dataValue.flatMap { SerDe.deserialize($0) }
    }

    public func value<T: RawArrayDeserializable>() -> T? where T.RawType: Deserializable {
        dataValue.flatMap { SerDe.deserialize($0) }
    }

    public func value<T: RawPairDeserializable>() -> T?
    where T.RawType1: Deserializable, T.RawType2: Deserializable {
        dataValue.flatMap { SerDe.deserialize($0) }
    }

    public func value<T: RawArrayPairDeserializable>() -> T?
    where T.RawType1: Deserializable, T.RawType2: Deserializable {
        dataValue.flatMap { SerDe.deserialize($0) }
    }

    // MARK: Within the library

    var peripheral: Peripheral? { service?.peripheral }

    /// Why nothing can be asked of it at the moment; nil if it can.
    var hindrance: (any Error)? {
        guard let service, let peripheral = service.peripheral else { return CharacteristicError.unconfigured }
        guard peripheral.isConnected else { return PeripheralError.disconnected }
        // What was found over an earlier connection is worth nothing now.
        return peripheral.knows(service) ? nil : CharacteristicError.unconfigured
    }

    /// The request fails.
    func fail(_ error: any Error) {
        let (promises, change) = details.withLock { state in
            defer { state.notifyingChange = nil }
            return (state.reads.takeAll() + state.writes.takeAll(), state.notifyingChange)
        }
        for promise in promises { promise.failure(error) }
        change?.failure(error)
    }
}
