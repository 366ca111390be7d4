public import CoreBluetooth

extension TiSensorTag {
    /// A Texas Instruments TMP006, which measures infrared light.
    public struct TemperatureService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA00")
        public static let name = "TI Temperature"
        public static let tag = TiSensorTag.tag

        /// What is measured, in °C.
        public struct Data: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Sendable
        {
            /// Of what the sensor looks at.
            public let object: Double
            /// Of the sensor.
            public let ambient: Double
            private let raw: [Int16]

            public static let uuid = TiSensorTag.uuid("AA01")
            public static let name = "Temperature Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? = Data(rawValue: [-172, 3388]).map { SerDe.serialize($0) }

            public static let size = 4

            public var rawValue: [Int16] { raw }

            public init?(rawValue: [Int16]) {
                guard rawValue.count == 2 else { return nil }
                raw = rawValue
                ambient = Double(rawValue[1]) / 128
                object = Self.object(voltage: Double(rawValue[0]) * 1.5625e-7, ambient: ambient)
            }

            /// Whether the same was measured: a temperature that is no number would not even equal itself.
            public static func == (one: Self, other: Self) -> Bool { one.raw == other.raw }

            public func hash(into hasher: inout Hasher) { hasher.combine(raw) }

            /// The formula of the TMP006 User's Guide, SBOU107, with the constants of TI's code for the tag. What cannot
            /// be warm or cold at all is no number.
            private static func object(voltage: Double, ambient: Double) -> Double {
                let die = ambient + 273.15
                let difference = die - 298.15
                let sensitivity = 6.4e-14 * (1 + 1.75e-3 * difference - 1.678e-5 * difference * difference)
                let offset = -2.94e-5 - 5.7e-7 * difference + 4.63e-9 * difference * difference
                let seebeck = voltage - offset + 13.4 * (voltage - offset) * (voltage - offset)
                return pow(pow(die, 4) + seebeck / sensitivity, 0.25) - 273.15
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                [
                    "object": hundredths(object), "ambient": hundredths(ambient), "objectRaw": "\(raw[0])",
                    "ambientRaw": "\(raw[1])",
                ]
            }

            public init?(stringValue: [String: String]) {
                guard let object: Int16 = stringValue.number("objectRaw"),
                    let ambient: Int16 = stringValue.number("ambientRaw")
                else { return nil }
                self.init(rawValue: [object, ambient])
            }
        }

        /// Whether it measures.
        public enum Enabled: UInt8, SensorTagSwitch, Sendable {
            public typealias RawType = UInt8

            case no = 0
            case yes = 1

            public static let uuid = TiSensorTag.uuid("AA02")
            public static let name = "Temperature Enabled"
        }
    }
}
