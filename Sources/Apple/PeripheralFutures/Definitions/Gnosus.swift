public import CoreBluetooth

/// Services for trying things out.
public struct Gnosus {
    static let tag = "gnos.us"

    /// The UUID with which services and characteristics, Nordic's among them, differ in four digits.
    static func uuid(_ digits: String) -> String { "2f0a\(digits)-69aa-f316-3e78-4194989a6c1a" }

    public struct HelloWorldService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid("0000")
        public static let name = "Hello World"
        public static let tag = Gnosus.tag

        public struct Greeting: CharacteristicConfigurable {
            public static let uuid = Gnosus.uuid("0001")
            public static let name = "Hello World Greeting"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue = SerDe.serialize("Hello")
        }

        /// In milliseconds.
        public struct UpdatePeriod: NumberCharacteristic, Hashable, Sendable {
            public typealias RawType = UInt16

            public let period: UInt16

            public var value: UInt16 { period }

            public init(value: UInt16) { period = value }

            public static let uuid = Gnosus.uuid("0002")
            public static let name = "Update Period"
            public static let properties: CBCharacteristicProperties = [.read, .write]
            public static let initialValue: Data? = SerDe.serialize(UInt16(5000))
        }
    }

    public struct LocationService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid("0001")
        public static let name = "Location"
        public static let tag = Gnosus.tag

        /// A place on Earth, in units of 100 degrees, so that nothing but its quarter is left of it.
        public struct LatitudeAndLongitude: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable,
            Hashable, Sendable
        {
            public let latitude: Double
            public let longitude: Double
            private let raw: [Int16]

            /// Nil for what is beyond what two bytes can say.
            public init?(latitude: Double, longitude: Double) {
                guard let first = Int16(doubleValue: latitude / 100), let second = Int16(doubleValue: longitude / 100)
                else { return nil }
                self.latitude = latitude
                self.longitude = longitude
                raw = [first, second]
            }

            public static let uuid = Gnosus.uuid("0017")
            public static let name = "Lattitude and Longitude"
            public static let properties: CBCharacteristicProperties = [.read, .write]
            public static let initialValue: Data? =
                LatitudeAndLongitude(latitude: 37.752760, longitude: -122.413234).map { SerDe.serialize($0) }

            public static let size = 4

            public var rawValue: [Int16] { raw }

            public init?(rawValue: [Int16]) {
                guard rawValue.count == 2 else { return nil }
                raw = rawValue
                latitude = 100 * Double(rawValue[0])
                longitude = 100 * Double(rawValue[1])
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                [
                    "latitude": "\(latitude)", "longitude": "\(longitude)", "latitudeRaw": "\(raw[0])",
                    "longitudeRaw": "\(raw[1])",
                ]
            }

            public init?(stringValue: [String: String]) {
                guard let latitude: Int16 = stringValue.number("latitudeRaw"),
                    let longitude: Int16 = stringValue.number("longitudeRaw")
                else { return nil }
                self.init(rawValue: [latitude, longitude])
            }
        }
    }
}

/// The profiles of these services.
public struct GnosusProfiles: Sendable {
    public static func create(profileManager: ProfileManager) {
        profileManager.addService(
            ConfiguredServiceProfile<Gnosus.HelloWorldService>(),
            StringCharacteristicProfile<Gnosus.HelloWorldService.Greeting>(),
            RawCharacteristicProfile<Gnosus.HelloWorldService.UpdatePeriod>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<Gnosus.LocationService>(),
            RawArrayCharacteristicProfile<Gnosus.LocationService.LatitudeAndLongitude>()
        )
    }
}
