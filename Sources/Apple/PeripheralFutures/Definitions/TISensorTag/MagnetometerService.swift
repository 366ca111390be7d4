public import CoreBluetooth

extension TiSensorTag {
    /// A Freescale MAG3110.
    public struct MagnetometerService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA30")
        public static let name = "TI Magnetometer"
        public static let tag = TiSensorTag.tag

        /// What is measured, in µT.
        public struct Data: SensorTagAxes, Hashable, Sendable {
            public typealias RawType = Int16

            public let axes: SensorAxes<Int16>

            public init(axes: SensorAxes<Int16>) { self.axes = axes }

            public static let rawPerUnit = 65_536.0 / 2000
            public static let uuid = TiSensorTag.uuid("AA31")
            public static let name = "Magnetometer Data"
            public static let initialValue: Foundation.Data? = Data(rawValue: [-2183, 1916, 1255]).map {
                SerDe.serialize($0)
            }
        }

        /// Whether it measures.
        public enum Enabled: UInt8, SensorTagSwitch, Sendable {
            public typealias RawType = UInt8

            case no = 0
            case yes = 1

            public static let uuid = TiSensorTag.uuid("AA32")
            public static let name = "Magnetometer Enabled"
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
