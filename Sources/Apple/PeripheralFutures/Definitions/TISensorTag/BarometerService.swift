public import CoreBluetooth

extension TiSensorTag {
    /// An Epcos T5400. Its numbers mean something only together with those that were measured when it was made.
    public struct BarometerService: ServiceConfigurable {
        public static let uuid = TiSensorTag.uuid("AA40")
        public static let name = "TI Barometer"
        public static let tag = TiSensorTag.tag

        /// What is measured.
        public struct Data: RawPairDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Sendable
        {
            public let temperatureRaw: Int16
            public let pressureRaw: UInt16

            /// In °C.
            public func temperature(_ calibration: Calibration) -> Double {
                Double(calibration.c2) / 1_024 + Double(calibration.c1) * Double(temperatureRaw) / 16_777_216
            }

            /// In pascals.
            public func pressure(_ calibration: Calibration) -> Double {
                let warmth = Double(temperatureRaw)
                let sensitivity =
                    Double(calibration.c3) + Double(calibration.c4) * warmth / 131_072
                    + Double(calibration.c5) * warmth * warmth / 17_179_869_184
                let offset =
                    Double(calibration.c6) * 16_384 + Double(calibration.c7) * warmth / 8
                    + Double(calibration.c8) * warmth * warmth / 524_288
                return (sensitivity * Double(pressureRaw) + offset) / 16_384
            }

            public static let uuid = TiSensorTag.uuid("AA41")
            public static let name = "Baraometer Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? =
                Data(rawValue1: -2343, rawValue2: 33_995).map { SerDe.serialize($0) }

            public var rawValue1: Int16 { temperatureRaw }
            public var rawValue2: UInt16 { pressureRaw }

            public init?(rawValue1: Int16, rawValue2: UInt16) {
                temperatureRaw = rawValue1
                pressureRaw = rawValue2
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                ["temperatureRaw": "\(temperatureRaw)", "pressureRaw": "\(pressureRaw)"]
            }

            public init?(stringValue: [String: String]) {
                guard let temperature: Int16 = stringValue.number("temperatureRaw"),
                    let pressure: UInt16 = stringValue.number("pressureRaw")
                else { return nil }
                self.init(rawValue1: temperature, rawValue2: pressure)
            }
        }

        /// What was measured when the sensor was made.
        public struct Calibration: RawArrayPairDeserializable, CharacteristicConfigurable, StringDeserializable,
            Hashable,
            Sendable
        {
            public let c1: UInt16
            public let c2: UInt16
            public let c3: UInt16
            public let c4: UInt16
            public let c5: Int16
            public let c6: Int16
            public let c7: Int16
            public let c8: Int16

            public static let uuid = TiSensorTag.uuid("AA43")
            public static let name = "Baraometer Calibration Data"
            public static let properties: CBCharacteristicProperties = [.read, .notify]
            public static let initialValue: Foundation.Data? = Calibration(
                rawValue1: [45_697, 25_592, 48_894, 36_174],
                rawValue2: [7_001, 1_990, -2_369, 5_542]
            ).map { SerDe.serialize($0) }

            public static let size1 = 8
            public static let size2 = 8

            public var rawValue1: [UInt16] { [c1, c2, c3, c4] }
            public var rawValue2: [Int16] { [c5, c6, c7, c8] }

            public init?(rawValue1: [UInt16], rawValue2: [Int16]) {
                guard rawValue1.count == 4, rawValue2.count == 4 else { return nil }
                (c1, c2, c3, c4) = (rawValue1[0], rawValue1[1], rawValue1[2], rawValue1[3])
                (c5, c6, c7, c8) = (rawValue2[0], rawValue2[1], rawValue2[2], rawValue2[3])
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                let texts = rawValue1.map { "\($0)" } + rawValue2.map { "\($0)" }
                return Dictionary(uniqueKeysWithValues: zip(Self.keys, texts))
            }

            public init?(stringValue: [String: String]) {
                let first: [UInt16] = Self.keys.prefix(4).compactMap { stringValue.number($0) }
                let second: [Int16] = Self.keys.suffix(4).compactMap { stringValue.number($0) }
                self.init(rawValue1: first, rawValue2: second)
            }

            private static let keys = (1...8).map { "c\($0)" }
        }

        /// Whether it measures, or reads its calibration.
        public enum Enabled: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable, CaseIterable,
            Sendable
        {
            public typealias RawType = UInt8

            case no = 0
            case yes = 1
            case calibrate = 2

            public static let uuid = TiSensorTag.uuid("AA42")
            public static let name = "Baraometer Enabled"
            public static let properties: CBCharacteristicProperties = [.read, .write]
            public static let initialValue: Foundation.Data? = SerDe.serialize(Enabled.no)
            public static let stringValues = ["No", "Yes", "Calibrate"]
        }
    }
}
