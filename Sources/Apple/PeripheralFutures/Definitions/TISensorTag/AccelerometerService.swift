public import CoreBluetooth

extension TiSensorTag {
    /// A Kionix KXTJ9, in a range of ±2 g.
    public struct AccelerometerService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA10")
        public static let name = "TI Accelerometer"
        public static let tag = TiSensorTag.tag

        /// What is measured, in g.
        public struct Data: SensorTagAxes, Hashable, Sendable {
            public typealias RawType = Int8

            public let axes: SensorAxes<Int8>

            public init(axes: SensorAxes<Int8>) { self.axes = axes }

            public static let rawPerUnit = 64.0
            public static let uuid = TiSensorTag.uuid("AA11")
            public static let name = "Accelerometer Data"
            public static let initialValue: Foundation.Data? = Data(x: 1, y: 0.5, z: -1.5).map { SerDe.serialize($0) }
        }

        /// Whether it measures.
        public enum Enabled: UInt8, SensorTagSwitch, Sendable {
            public typealias RawType = UInt8

            case no = 0
            case yes = 1

            public static let uuid = TiSensorTag.uuid("AA12")
            public static let name = "Accelerometer Enabled"
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
