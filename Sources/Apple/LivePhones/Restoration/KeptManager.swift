import BluethroatBluetoothValues
import BluethroatPhoneService
import Foundation

/// What a peripheral manager with a restore identifier has published and advertises, as it is written into a file.
struct KeptManager: Codable, Equatable {
    struct Service: Codable, Equatable {
        var number: UInt32
        var uuid: String
        var isPrimary: Bool
        var includes: [UInt32]
        var characteristics: [Characteristic]
    }

    struct Characteristic: Codable, Equatable {
        var number: UInt32
        var uuid: String
        /// The bits of `CBCharacteristicProperties`.
        var properties: UInt
        /// The bits of `CBAttributePermissions`.
        var permissions: UInt
        /// One that never changes.
        var value: Data?
        var descriptors: [Descriptor]
    }

    struct Descriptor: Codable, Equatable {
        var uuid: String
        var value: Data
    }

    struct Advertisement: Codable, Equatable {
        var localName: String?
        var services: [String]
    }

    var identifier: String
    /// In the order in which they were published.
    var services: [Service] = []
    var advertisement: Advertisement?

    var isEmpty: Bool { services.isEmpty && advertisement == nil }
}

extension KeptManager.Service {
    init(_ service: LocalService) {
        self.init(
            number: service.id.number,
            uuid: service.uuid.description,
            isPrimary: service.isPrimary,
            includes: service.includes.map(\.number),
            characteristics: service.characteristics.map { characteristic in
                KeptManager.Characteristic(
                    number: characteristic.id.number,
                    uuid: characteristic.uuid.description,
                    properties: characteristic.properties,
                    permissions: characteristic.permissions,
                    value: characteristic.value.map { Data($0) },
                    descriptors: characteristic.descriptors.map { descriptor in
                        KeptManager.Descriptor(uuid: descriptor.uuid.description, value: Data(descriptor.value))
                    }
                )
            }
        )
    }
}

extension KeptManager.Advertisement {
    /// Nil for an iBeacon, which is not advertised in the background.
    init?(_ request: AdvertisementRequest) {
        guard request.beacon == nil else { return nil }
        self.init(localName: request.localName, services: request.services.map(\.description))
    }
}

// MARK: Back, from a file that anybody can have written

extension KeptManager {
    /// What is wrong with a file.
    struct Fault: Error, Equatable {
        let reason: String
    }

    /// Objects are numbered from 1; a manager goes on counting behind the last number.
    private static let numbers: ClosedRange<UInt32> = 1...1_000_000

    /// What the manager is told.
    ///
    /// - Throws: if what is there can be of no manager.
    func restoration() throws(Fault) -> PeripheralRestoration {
        var used: [UInt32] = services.map(\.number)
        for service in services { used += service.characteristics.map(\.number) }
        guard used.allSatisfy(Self.numbers.contains), Set(used).count == used.count else {
            throw Fault(reason: "a number is wrong, or there twice")
        }
        var restored: [LocalService] = []
        for service in services {
            var characteristics: [LocalCharacteristic] = []
            for characteristic in service.characteristics { characteristics.append(try Self.restored(characteristic)) }
            restored.append(
                LocalService(
                    id: LocalServiceID(number: service.number),
                    uuid: try Self.uuid(service.uuid),
                    isPrimary: service.isPrimary,
                    includes: service.includes.map(LocalServiceID.init),
                    characteristics: characteristics
                )
            )
        }
        var request: AdvertisementRequest?
        if let advertisement {
            var uuids: [BluetoothUUID] = []
            for service in advertisement.services { uuids.append(try Self.uuid(service)) }
            request = AdvertisementRequest(localName: advertisement.localName, services: uuids)
        }
        return PeripheralRestoration(services: restored, advertisement: request)
    }

    private static func restored(_ kept: Characteristic) throws(Fault) -> LocalCharacteristic {
        var descriptors: [LocalDescriptor] = []
        for descriptor in kept.descriptors {
            let uuid = try uuid(descriptor.uuid)
            // A description is text.
            guard uuid != 0x2901 || String(data: descriptor.value, encoding: .utf8) != nil else {
                throw Fault(reason: "a description is no text")
            }
            descriptors.append(LocalDescriptor(uuid: uuid, value: Array(descriptor.value)))
        }
        return LocalCharacteristic(
            id: LocalCharacteristicID(number: kept.number),
            uuid: try uuid(kept.uuid),
            properties: kept.properties,
            permissions: kept.permissions,
            value: kept.value.map { Array($0) },
            descriptors: descriptors
        )
    }

    private static func uuid(_ text: String) throws(Fault) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else { throw Fault(reason: "one of the UUIDs is none") }
        return uuid
    }
}
