public import CoreBluetooth

extension TiSensorTag {
    /// An InvenSense IMU-3000.
    public struct GyroscopeService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA50")
        public static let name = "TI Gyroscope"
        public static let tag = TiSensorTag.tag

        /// What is measured, in degrees a second.
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
                return ThreeAxes.values(values, per: 65_536 / 500)
            }

            /// The raw numbers of three values; nil where one is beyond what two bytes can say.
            public static func rawFromValues(_ rawValues: [Double]) -> (Int16, Int16, Int16)? {
                ThreeAxes.raw(rawValues, per: 65_536 / 500, Int16.init(doubleValue:))
            }

            public static let uuid = TiSensorTag.uuid("AA51")
            public static let name = "Gyroscope Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? = Data(rawValue: [-24, -219, -23]).map {
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

        /// Which axes it measures.
        public enum Enabled: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable, CaseIterable,
            Sendable
        {
            public typealias RawType = UInt8

            case no = 0
            case xAxis = 1
            case yAxis = 2
            case xyAxis = 3
            case zAxis = 4
            case xzAxis = 5
            case yzAxis = 6
            case xyzAxis = 7

            public static let uuid = TiSensorTag.uuid("AA52")
            public static let name = "Gyroscope Enabled"
            public static let properties: CBCharacteristicProperties = [.read, .write]
            public static let initialValue: Foundation.Data? = SerDe.serialize(Enabled.no)
            public static let stringValues = ["No", "XAxis", "YAxis", "XYAxis", "ZAxis", "XZAxis", "YZAxis", "XYZAxis"]
        }
    }
}
