public import CoreBluetooth

extension TiSensorTag {
    /// An InvenSense IMU-3000.
    public struct GyroscopeService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA50")
        public static let name = "TI Gyroscope"
        public static let tag = TiSensorTag.tag

        /// What is measured, in degrees a second.
        public struct Data: SensorTagAxes, Hashable, Sendable {
            public typealias RawType = Int16

            public let axes: SensorAxes<Int16>

            public init(axes: SensorAxes<Int16>) { self.axes = axes }

            public static let rawPerUnit = 65_536.0 / 500
            public static let uuid = TiSensorTag.uuid("AA51")
            public static let name = "Gyroscope Data"
            public static let initialValue: Foundation.Data? = Data(rawValue: [-24, -219, -23]).map {
                SerDe.serialize($0)
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
