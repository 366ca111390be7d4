public import CoreBluetooth

/// Services of the Bluetooth SIG.
public struct BLESIGGATT {
    static let tag = "BLESIGGATT"

    public struct DeviceInformationService: ServiceConfigurable {
        public static let uuid = "180a"
        public static let name = "Device Information"
        public static let tag = BLESIGGATT.tag

        public struct ModelNumber: CharacteristicConfigurable {
            public static let uuid = "2a24"
            public static let name = "Device Model Number"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue = SerDe.serialize("Model A")
        }

        public struct SerialNumber: CharacteristicConfigurable {
            public static let uuid = "2a25"
            public static let name = "Device Serial Number"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue = SerDe.serialize("AAA11")
        }

        public struct FirmwareRevision: CharacteristicConfigurable {
            public static let uuid = "2a26"
            public static let name = "Device Firmware Revision"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue = SerDe.serialize("1.0")
        }

        public struct HardwareRevision: CharacteristicConfigurable {
            public static let uuid = "2a27"
            public static let name = "Device Hardware Revision"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue = SerDe.serialize("1.0")
        }

        public struct SoftwareRevision: CharacteristicConfigurable {
            public static let uuid = "2a28"
            public static let name = "Device Software Revision"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue = SerDe.serialize("1.0")
        }

        public struct ManufacturerName: CharacteristicConfigurable {
            public static let uuid = "2a29"
            public static let name = "Device Manufacturer Name"
            public static let properties: CBCharacteristicProperties = .read
            public static let initialValue = SerDe.serialize("gnos.us")
        }
    }

    public struct BatteryService: ServiceConfigurable {
        public static let uuid = "180f"
        public static let name = "Battery"
        public static let tag = BLESIGGATT.tag

        /// In per cent.
        public struct Level: NumberCharacteristic, Hashable, Sendable {
            public typealias RawType = UInt8

            public let value: UInt8

            public init(value: UInt8) { self.value = value }

            public static let uuid = "2a19"
            public static let name = "Battery Level"
            public static let properties: CBCharacteristicProperties = [.notify, .read]
            public static let initialValue: Data? = SerDe.serialize(UInt8(100))
        }
    }

    public struct TxPowerService: ServiceConfigurable {
        public static let uuid = "1804"
        public static let name = "Tx Power Level"
        public static let tag = BLESIGGATT.tag

        /// In dBm.
        public struct Level: NumberCharacteristic, Hashable, Sendable {
            public typealias RawType = Int8

            public let value: Int8

            public init(value: Int8) { self.value = value }

            public static let uuid = "2a07"
            public static let name = "Tx Power Level"
            public static let properties: CBCharacteristicProperties = [.notify, .read]
            public static let initialValue: Data? = SerDe.serialize(Int8(-40))
        }
    }
}

/// The profiles of these services.
public final class BLESIGGATTProfiles: Sendable {
    public static func create(profileManager: ProfileManager) {
        profileManager.addService(
            ConfiguredServiceProfile<BLESIGGATT.DeviceInformationService>(),
            StringCharacteristicProfile<BLESIGGATT.DeviceInformationService.ModelNumber>(),
            StringCharacteristicProfile<BLESIGGATT.DeviceInformationService.SerialNumber>(),
            StringCharacteristicProfile<BLESIGGATT.DeviceInformationService.FirmwareRevision>(),
            StringCharacteristicProfile<BLESIGGATT.DeviceInformationService.HardwareRevision>(),
            StringCharacteristicProfile<BLESIGGATT.DeviceInformationService.SoftwareRevision>(),
            StringCharacteristicProfile<BLESIGGATT.DeviceInformationService.ManufacturerName>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<BLESIGGATT.BatteryService>(),
            RawCharacteristicProfile<BLESIGGATT.BatteryService.Level>()
        )
        profileManager.addService(
            ConfiguredServiceProfile<BLESIGGATT.TxPowerService>(),
            RawCharacteristicProfile<BLESIGGATT.TxPowerService.Level>()
        )
    }
}
