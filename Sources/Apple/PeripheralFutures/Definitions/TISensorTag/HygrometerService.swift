public import CoreBluetooth

extension TiSensorTag {
    /// A Sensirion SHT21.
    public struct HygrometerService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA20")
        public static let name = "TI Hygrometer"
        public static let tag = TiSensorTag.tag

        /// What is measured.
        public struct Data: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Sendable
        {
            /// In °C.
            public var temperature: Double
            /// Relative, in per cent.
            public var humidity: Double
            public var temperatureRaw: UInt16
            public var humidityRaw: UInt16

            public static let uuid = TiSensorTag.uuid("AA21")
            public static let name = "Hygrometer Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? = Data(rawValue: [2600, 3500]).map { SerDe.serialize($0) }

            public static let size = 4

            public var rawValue: [UInt16] { [temperatureRaw, humidityRaw] }

            public init?(rawValue: [UInt16]) {
                guard rawValue.count == 2 else { return nil }
                temperatureRaw = rawValue[0]
                humidityRaw = rawValue[1]
                temperature = -46.86 + 175.72 * Double(temperatureRaw) / 65_536
                humidity = -6 + 125 * Double(humidityRaw) / 65_536
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                [
                    "temperature": hundredths(temperature), "humidity": hundredths(humidity),
                    "temperatureRaw": "\(temperatureRaw)", "humidityRaw": "\(humidityRaw)",
                ]
            }

            public init?(stringValue: [String: String]) {
                guard let temperature: UInt16 = stringValue.number("temperatureRaw"),
                    let humidity: UInt16 = stringValue.number("humidityRaw")
                else { return nil }
                self.init(rawValue: [temperature, humidity])
            }
        }

        /// Whether it measures.
        public enum Enabled: UInt8, SensorTagSwitch, Sendable {
            public typealias RawType = UInt8

            case no = 0
            case yes = 1

            public static let uuid = TiSensorTag.uuid("AA22")
            public static let name = "Hygrometer Enabled"
        }
    }
}
