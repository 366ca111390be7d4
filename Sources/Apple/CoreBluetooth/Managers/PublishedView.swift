internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

/// What a peripheral manager has published, and who uses it.
struct PublishedView: Sendable {
    var isAdvertising = false
    /// Whether the app wants that: it may have stopped before it hears that it has begun.
    var isToAdvertise = false
    private(set) var services: [LocalServiceID: CBMutableService] = [:]
    private(set) var characteristics: [LocalCharacteristicID: CBMutableCharacteristic] = [:]
    /// As long as anybody has the object. Others take its place at the latest when there are twice as many names as objects:
    /// one radio can change its address without end.
    private var centrals: [PeerID: Held] = [:]
    private var nextSweep = 64
    private var count: UInt32 = 0

    /// The name of no service: names are numbered from 1.
    private static let unpublished = LocalServiceID(number: 0)

    /// The copy of a service that is published; from now on the service is known by its name.
    mutating func publish(_ service: CBMutableService) -> LocalService {
        guard service.publishedAs == nil else { raise("Services cannot be added more than once") }
        for characteristic in service.keptCharacteristics ?? [] where characteristic.keptValue != nil {
            let permissions = (characteristic as? CBMutableCharacteristic)?.permissions ?? []
            guard
                characteristic.keptProperties.subtracting(.read).isEmpty,
                permissions.isDisjoint(with: [.writeable, .writeEncryptionRequired])
            else { raise("Characteristics with cached values must be read-only") }
        }
        let id = LocalServiceID(number: nextNumber())
        service.publishedAs = id
        services[id] = service
        return LocalService(
            id: id,
            uuid: service.uuid.value,
            isPrimary: service.isPrimary,
            includes: (service.keptIncludedServices ?? []).map { included in
                (included as? CBMutableService)?.publishedAs ?? Self.unpublished
            },
            characteristics: (service.keptCharacteristics ?? []).compactMap { copy(of: $0) }
        )
    }

    private mutating func copy(of characteristic: CBCharacteristic) -> LocalCharacteristic? {
        guard let characteristic = characteristic as? CBMutableCharacteristic else { return nil }
        let id = LocalCharacteristicID(number: nextNumber())
        characteristic.publishedAs = id
        characteristics[id] = characteristic
        return LocalCharacteristic(
            id: id,
            uuid: characteristic.uuid.value,
            properties: characteristic.keptProperties.rawValue,
            permissions: characteristic.permissions.rawValue,
            value: characteristic.keptValue.map { Array($0) },
            descriptors: (characteristic.keptDescriptors ?? []).map { descriptor in
                LocalDescriptor(uuid: descriptor.uuid.value, value: descriptor.bytes)
            }
        )
    }

    /// Makes objects of what the service kept while the app did not run, under the names that they had.
    mutating func restore(_ restoration: PeripheralRestoration) -> [CBMutableService] {
        for kept in restoration.services {
            let service = CBMutableService(type: CBUUID(kept.uuid), primary: kept.isPrimary)
            service.publishedAs = kept.id
            services[kept.id] = service
            count = max(count, kept.id.number)
            service.characteristics = kept.characteristics.map { restore($0) }
        }
        // A service may include one that was published after it.
        for kept in restoration.services where !kept.includes.isEmpty {
            services[kept.id]?.includedServices = kept.includes.compactMap { services[$0] }
        }
        for subscription in restoration.subscriptions {
            characteristics[subscription.characteristic]?.subscribers.append(central(subscription.central))
        }
        return restoration.services.compactMap { services[$0.id] }
    }

    private mutating func restore(_ kept: LocalCharacteristic) -> CBMutableCharacteristic {
        let characteristic = CBMutableCharacteristic(
            type: CBUUID(kept.uuid),
            properties: CBCharacteristicProperties(rawValue: kept.properties),
            value: kept.value.map { Data($0) },
            permissions: CBAttributePermissions(rawValue: kept.permissions)
        )
        characteristic.publishedAs = kept.id
        characteristics[kept.id] = characteristic
        count = max(count, kept.id.number)
        characteristic.descriptors = kept.descriptors.map { descriptor in
            let type = CBUUID(descriptor.uuid)
            return CBMutableDescriptor(type: type, value: type.typed(descriptor.value))
        }
        return characteristic
    }

    /// The name under which a service was published; nil if it was not, or by another manager.
    mutating func withdraw(_ service: CBMutableService) -> LocalServiceID? {
        guard let id = service.publishedAs, services[id] === service else { return nil }
        services[id] = nil
        forget(service)
        return id
    }

    /// The name under which a characteristic was published; nil if it was not, or by another manager.
    func name(of characteristic: CBMutableCharacteristic) -> LocalCharacteristicID? {
        guard let id = characteristic.publishedAs, characteristics[id] === characteristic else { return nil }
        return id
    }

    /// - Returns: what was published, to be let go of outside of any lock: what an app has made may look at the manager as it ends.
    mutating func withdrawAll() -> [CBAttribute] {
        let all: [CBAttribute] = Array(services.values) + Array(characteristics.values)
        for service in services.values { forget(service) }
        services = [:]
        characteristics = [:]
        return all
    }

    private mutating func forget(_ service: CBMutableService) {
        service.publishedAs = nil
        for case let characteristic as CBMutableCharacteristic in service.keptCharacteristics ?? [] {
            if let id = characteristic.publishedAs { characteristics[id] = nil }
            characteristic.publishedAs = nil
            characteristic.subscribers = []
        }
    }

    /// The object for a central: the one there is, or a new one.
    mutating func central(_ described: SubscribedCentral) -> CBCentral {
        if let known = central(described.id) {
            known.setMaximumUpdateValueLength(described.maximumUpdateLength)
            return known
        }
        let new = CBCentral(id: described.id, maximumUpdateValueLength: described.maximumUpdateLength)
        if centrals.count >= nextSweep {
            centrals = centrals.filter { $0.value.central != nil }
            nextSweep = max(64, 2 * centrals.count)
        }
        centrals[described.id] = Held(central: new)
        return new
    }

    /// What fits into an update is another number by now.
    func limit(_ described: SubscribedCentral) {
        central(described.id)?.setMaximumUpdateValueLength(described.maximumUpdateLength)
    }

    func central(_ id: PeerID) -> CBCentral? { centrals[id]?.central }

    private struct Held {
        weak var central: CBCentral?
    }

    /// No central is connected any more.
    mutating func disconnectAll() {
        for characteristic in characteristics.values { characteristic.subscribers = [] }
        centrals = [:]
    }

    private mutating func nextNumber() -> UInt32 {
        count += 1
        return count
    }
}

extension CBDescriptor {
    /// The value as it is sent: text in UTF-8, a number in two bytes.
    fileprivate var bytes: [UInt8] {
        switch value {
        case let data as Data: Array(data)
        case let text as String: Array(text.utf8)
        case let number as NSNumber:
            [UInt8(truncatingIfNeeded: number.intValue), UInt8(truncatingIfNeeded: number.intValue >> 8)]
        default: []
        }
    }
}
