public import CoreBluetooth

extension TiSensorTag {
    /// A Freescale MAG3110.
    public struct MagnetometerService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA30")
        public static let name = "TI Magnetometer"
        public static let tag = TiSensorTag.tag

        /// What is measured, in µT.
        public struct Data: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Sendable
        {
            public let x: Double
            public let y: Double
            public let z: Double
            private let raw: [Int16]

            /// Nil where a value is beyond what two bytes can say.
            public init?(x: Double, y: Double, z: Double) {
                guard let raw = Data.rawFromValues([x, y, z]) else { return nil }
                self.x = x
                self.y = y
                self.z = z
                self.raw = [raw.0, raw.1, raw.2]
            }

            /// The values of three raw numbers.
            public static func valuesFromRaw(_ values: [Int16]) -> (Double, Double, Double) {
                precondition(values.count == 3, "there are three axes")
                return ThreeAxes.values(values, per: 65_536 / 2000)
            }

            /// The raw numbers of three values; nil where one is beyond what two bytes can say.
            public static func rawFromValues(_ rawValues: [Double]) -> (Int16, Int16, Int16)? {
                ThreeAxes.raw(rawValues, per: 65_536 / 2000, Int16.init(doubleValue:))
            }

            public static let uuid = TiSensorTag.uuid("AA31")
            public static let name = "Magnetometer Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? = Data(rawValue: [-2183, 1916, 1255]).map {
                SerDe.serialize($0)
            }

            public static let size = 6

            public var rawValue: [Int16] { raw }

            public init?(rawValue: [Int16]) {
                guard rawValue.count == 3 else { return nil }
                raw = rawValue
                (x, y, z) = Data.valuesFromRaw(rawValue)
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] { ThreeAxes.text((x, y, z), raw) }

            public init?(stringValue: [String: String]) {
                guard let raw: [Int16] = ThreeAxes.raw(in: stringValue) else { return nil }
                self.init(rawValue: raw)
            }
        }

        /// Whether it measures.
        public enum Enabled: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable, CaseIterable,
            Sendable
        {
            public typealias RawType = UInt8

            case no = 0
            case yes = 1

            public static let uuid = TiSensorTag.uuid("AA32")
            public static let name = "Magnetometer Enabled"
            public static let properties: CBCharacteristicProperties = [.read, .write]
            public static let initialValue: Foundation.Data? = SerDe.serialize(Enabled.no)
            public static let stringValues = ["No", "Yes"]
        }

        /// How often it measures.
        public struct UpdatePeriod: SensorTagPeriod, Hashable, Sendable {
            public let periodRaw: UInt8

            public init(periodRaw: UInt8) { self.periodRaw = periodRaw }

            public static let uuid = TiSensorTag.uuid("AA33")
            public static let name = "Magnetometer Update Period"
            /// Two seconds, as in the hardware.
            public static let initialValue: Foundation.Data? = SerDe.serialize(UInt8(200))
        }
    }
}
