public import CoreBluetooth

extension TiSensorTag {
    /// A Kionix KXTJ9, in a range of ±2 g.
    public struct AccelerometerService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA10")
        public static let name = "TI Accelerometer"
        public static let tag = TiSensorTag.tag

        /// What is measured, in g.
        public struct Data: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Sendable
        {
            public let x: Double
            public let y: Double
            public let z: Double
            private let raw: [Int8]

            /// Nil where a value is beyond what a byte can say, which is a little below 2 g.
            public init?(x: Double, y: Double, z: Double) {
                guard let raw = ThreeAxes.raw([x, y, z], per: 64, Int8.init(doubleValue:)) else { return nil }
                self.x = x
                self.y = y
                self.z = z
                self.raw = [raw.0, raw.1, raw.2]
            }

            public static let uuid = TiSensorTag.uuid("AA11")
            public static let name = "Accelerometer Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? = Data(x: 1, y: 0.5, z: -1.5).map { SerDe.serialize($0) }

            public static let size = 3

            public var rawValue: [Int8] { raw }

            public init?(rawValue: [Int8]) {
                guard rawValue.count == 3 else { return nil }
                raw = rawValue
                (x, y, z) = ThreeAxes.values(rawValue, per: 64)
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] { ThreeAxes.text((x, y, z), raw) }

            public init?(stringValue: [String: String]) {
                guard let raw: [Int8] = ThreeAxes.raw(in: stringValue) else { return nil }
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

            public init(boolValue: Bool) { self = boolValue ? .yes : .no }

            public var boolValue: Bool { self == .yes }

            public static let uuid = TiSensorTag.uuid("AA12")
            public static let name = "Accelerometer Enabled"
            public static let properties: CBCharacteristicProperties = [.read, .write]
            public static let initialValue: Foundation.Data? = SerDe.serialize(Enabled.no)
            public static let stringValues = ["No", "Yes"]
        }

        /// How often it measures.
        public struct UpdatePeriod: SensorTagPeriod, Hashable, Sendable {
            public let periodRaw: UInt8

            public init(periodRaw: UInt8) { self.periodRaw = periodRaw }

            public static let uuid = TiSensorTag.uuid("AA13")
            public static let name = "Accelerometer Update Period"
            public static let initialValue: Foundation.Data? = SerDe.serialize(UInt8(100))
        }
    }
}

/// How often a sensor measures, in units of 10 ms.
public protocol SensorTagPeriod: RawDeserializable, StringDeserializable, CharacteristicConfigurable
where RawType == UInt8 {
    var periodRaw: UInt8 { get }

    init(periodRaw: UInt8)
}

extension SensorTagPeriod {
    public static var properties: CBCharacteristicProperties { [.read, .write] }
    public static var stringValues: [String] { [] }

    /// In milliseconds, never less than 10.
    public var period: UInt16 { max(10, 10 * UInt16(periodRaw)) }

    public var rawValue: UInt8 { periodRaw }

    public init?(rawValue: UInt8) { self.init(periodRaw: rawValue) }

    public var stringValue: [String: String] { ["period": "\(period)", "periodRaw": "\(periodRaw)"] }

    public init?(stringValue: [String: String]) {
        guard let raw: UInt8 = stringValue.number("periodRaw") else { return nil }
        self.init(periodRaw: raw)
    }
}
