public import CoreBluetooth

extension TiSensorTag {
    /// What the tag finds out about itself.
    public struct SensorTagTestService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA60")
        public static let name = "TI Sensor Tag Test"
        public static let tag = TiSensorTag.tag

        /// Which of its parts work.
        public struct Data: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Sendable {
            public let resultRaw: UInt8

            /// Whether a test has passed; they are numbered from 1 to 8.
            public func passed(_ test: Int) -> Bool { (1...8).contains(test) && resultRaw & 1 << (test - 1) != 0 }

            public var test1: Bool { passed(1) }
            public var test2: Bool { passed(2) }
            public var test3: Bool { passed(3) }
            public var test4: Bool { passed(4) }
            public var test5: Bool { passed(5) }
            public var test6: Bool { passed(6) }
            public var test7: Bool { passed(7) }
            public var test8: Bool { passed(8) }

            public static let uuid = TiSensorTag.uuid("AA61")
            public static let name = "Test Data"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue: Foundation.Data? = SerDe.serialize(0b1111_0000 as UInt8)

            public var rawValue: UInt8 { resultRaw }

            public init?(rawValue: UInt8) { resultRaw = rawValue }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                (1...8).reduce(into: ["resultRaw": "\(resultRaw)"]) {
                    $0["test\($1)"] = passed($1) ? "PASSED" : "FAILED"
                }
            }

            public init?(stringValue: [String: String]) {
                guard let raw: UInt8 = stringValue.number("resultRaw") else { return nil }
                resultRaw = raw
            }
        }

        /// Whether it tests itself.
        public enum Enabled: UInt8, SensorTagSwitch, Sendable {
            public typealias RawType = UInt8

            case no = 0
            case yes = 1

            public static let uuid = TiSensorTag.uuid("AA62")
            public static let name = "Test Enabled"
        }
    }
}
