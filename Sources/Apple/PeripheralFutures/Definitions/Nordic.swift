public import CoreBluetooth

/// Services of a development kit of Nordic Semiconductor's.
public struct Nordic {
    static let tag = "Nordic"

    public struct DeviceTemperatureService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid("0003")
        public static let name = "Nordic Device Temperature"
        public static let tag = Nordic.tag

        /// The chip's own.
        public struct Data: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Sendable {
            /// In °C.
            public let temperature: Double
            private let temperatureRaw: Int16

            public static let uuid = Gnosus.uuid("0004")
            public static let name = "Device Temperature Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? = SerDe.serialize(Int16(100))

            public var rawValue: Int16 { temperatureRaw }

            public init?(rawValue: Int16) {
                temperatureRaw = rawValue
                temperature = Double(rawValue) / 4
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                ["temperature": "\(temperature)", "temperatureRaw": "\(temperatureRaw)"]
            }

            public init?(stringValue: [String: String]) {
                guard let raw: Int16 = stringValue.number("temperatureRaw") else { return nil }
                self.init(rawValue: raw)
            }
        }
    }

    public struct BLEAddressService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid("0005")
        public static let name = "Nordic BLE Address"
        public static let tag = Nordic.tag

        /// The six bytes of a device address.
        public struct Address: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable,
            Sendable
        {
            public let addr1: UInt8
            public let addr2: UInt8
            public let addr3: UInt8
            public let addr4: UInt8
            public let addr5: UInt8
            public let addr6: UInt8

            public static let uuid = Gnosus.uuid("0006")
            public static let name = "BLE Addresss"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Data? = Address(rawValue: [100, 0, 0, 0, 0, 0]).map { SerDe.serialize($0) }

            public static let size = 6

            public var rawValue: [UInt8] { [addr1, addr2, addr3, addr4, addr5, addr6] }

            public init?(rawValue: [UInt8]) {
                guard rawValue.count == 6 else { return nil }
                (addr1, addr2, addr3) = (rawValue[0], rawValue[1], rawValue[2])
                (addr4, addr5, addr6) = (rawValue[3], rawValue[4], rawValue[5])
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                Dictionary(uniqueKeysWithValues: zip(Self.keys, rawValue.map { "\($0)" }))
            }

            public init?(stringValue: [String: String]) {
                self.init(rawValue: Self.keys.compactMap { stringValue.number($0) })
            }

            private static let keys = (1...6).map { "addr\($0)" }
        }

        /// What kind of address it is.
        public enum AddressType: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable,
            CaseIterable, Sendable
        {
            public typealias RawType = UInt8

            case unknown = 0
            case `public` = 1
            case randomStatic = 2
            case randomPrivateResolvable = 3
            case randomPrivateUnresolvable = 4

            public static let uuid = Gnosus.uuid("0007")
            public static let name = "BLE Address Type"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue: Data? = SerDe.serialize(AddressType.public)
            public static let stringValues = [
                "Unknown", "Public", "RandomStatic", "RandomPrivateResolvable", "RandomPrivateUnresolvable",
            ]
        }
    }
}

/// The profiles of these services.
public final class NordicProfiles: Sendable {
    public static func create(profileManager: ProfileManager) {
        profileManager.addService(
            ConfiguredServiceProfile<Nordic.DeviceTemperatureService>(),
            RawCharacteristicProfile<Nordic.DeviceTemperatureService.Data>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<Nordic.BLEAddressService>(),
            RawArrayCharacteristicProfile<Nordic.BLEAddressService.Address>(),
            RawCharacteristicProfile<Nordic.BLEAddressService.AddressType>()
        )
    }
}
