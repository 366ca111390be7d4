public import CoreBluetooth

extension BLESIGGATT {
    /// Heart Rate Service 1.0.
    public struct HeartRateService: ServiceConfigurable {
        public static let uuid = "180d"
        public static let name = "Heart Rate"
        public static let tag = BLESIGGATT.tag

        /// What a strap sends about once a second.
        public struct Measurement: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable,
            Sendable
        {
            public var beatsPerMinute: UInt16
            /// Whether the sensor touches skin; nil where it cannot detect that.
            public var hasContact: Bool?
            /// In kilojoules, since it was last set back.
            public var energyExpended: UInt16?
            /// From one beat to the next, in units of 1/1024 s, the oldest first.
            public var intervals: [UInt16]

            public init(
                beatsPerMinute: UInt16,
                hasContact: Bool? = nil,
                energyExpended: UInt16? = nil,
                intervals: [UInt16] = []
            ) {
                self.beatsPerMinute = beatsPerMinute
                self.hasContact = hasContact
                self.energyExpended = energyExpended
                self.intervals = intervals
            }

            public static let uuid = "2a37"
            public static let name = "Heart Rate Measurement"
            public static let properties: CBCharacteristicProperties = .notify
            public static let initialValue: Data? = SerDe.serialize(Measurement(beatsPerMinute: 72))

            public static let size = 2

            public var rawValue: [UInt8] {
                let isLong = beatsPerMinute > 255
                var flags: UInt8 = isLong ? 0x01 : 0
                if let hasContact { flags |= hasContact ? 0x06 : 0x04 }
                if energyExpended != nil { flags |= 0x08 }
                if !intervals.isEmpty { flags |= 0x10 }
                var bytes = [flags, UInt8(truncatingIfNeeded: beatsPerMinute)]
                if isLong { bytes.append(UInt8(beatsPerMinute >> 8)) }
                for number in [energyExpended].compactMap(\.self) + intervals { bytes += Data.serialize(number) }
                return bytes
            }

            public init?(rawValue: [UInt8]) {
                var rest = rawValue[...]
                guard let flags = rest.popFirst(), let low = rest.popFirst() else { return nil }
                beatsPerMinute = UInt16(low)
                if flags & 0x01 != 0 {
                    guard let high = rest.popFirst() else { return nil }
                    beatsPerMinute |= UInt16(high) << 8
                }
                hasContact = flags & 0x04 == 0 ? nil : flags & 0x02 != 0
                var numbers: [UInt16] = SerDe.deserialize(Data(rest))
                energyExpended = nil
                if flags & 0x08 != 0 {
                    guard !numbers.isEmpty else { return nil }
                    energyExpended = numbers.removeFirst()
                }
                intervals = flags & 0x10 == 0 ? [] : numbers
            }

            public static let stringValues: [String] = []

            public var stringValue: [String: String] {
                var text = ["beatsPerMinute": "\(beatsPerMinute)"]
                text["hasContact"] = hasContact.map { $0 ? "Yes" : "No" }
                text["energyExpended"] = energyExpended.map { "\($0)" }
                if !intervals.isEmpty { text["intervals"] = intervals.map { "\($0)" }.joined(separator: " ") }
                return text
            }

            public init?(stringValue: [String: String]) {
                guard let beats: UInt16 = stringValue.number("beatsPerMinute") else { return nil }
                let texts = stringValue["intervals"]?.split(separator: " ") ?? []
                let intervals = texts.compactMap { UInt16($0) }
                guard intervals.count == texts.count else { return nil }
                self.init(
                    beatsPerMinute: beats,
                    hasContact: stringValue["hasContact"].map { $0 == "Yes" },
                    energyExpended: stringValue.number("energyExpended"),
                    intervals: intervals
                )
            }
        }

        /// Where the sensor is worn.
        public enum Location: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable, CaseIterable,
            Sendable
        {
            public typealias RawType = UInt8

            case other = 0
            case chest = 1
            case wrist = 2
            case finger = 3
            case hand = 4
            case earLobe = 5
            case foot = 6

            public static let uuid = "2a38"
            public static let name = "Body Sensor Location"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue: Data? = SerDe.serialize(Location.chest)
            public static let stringValues = ["Other", "Chest", "Wrist", "Finger", "Hand", "Ear Lobe", "Foot"]
        }

        /// What a central orders.
        public enum ControlPoint: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable,
            CaseIterable, Sendable
        {
            public typealias RawType = UInt8

            case resetEnergyExpended = 1

            public static let uuid = "2a39"
            public static let name = "Heart Rate Control Point"
            public static let properties: CBCharacteristicProperties = .write
            public static let initialValue: Data? = nil
            public static let stringValues = ["Reset Energy Expended"]
        }
    }
}

/// The profile of the heart rate service.
public final class HeartRateProfiles: Sendable {
    public static func create(profileManager: ProfileManager) {
        profileManager.addService(
            ConfiguredServiceProfile<BLESIGGATT.HeartRateService>(),
            RawArrayCharacteristicProfile<BLESIGGATT.HeartRateService.Measurement>(),
            RawCharacteristicProfile<BLESIGGATT.HeartRateService.Location>(),
            RawCharacteristicProfile<BLESIGGATT.HeartRateService.ControlPoint>()
        )
    }
}
