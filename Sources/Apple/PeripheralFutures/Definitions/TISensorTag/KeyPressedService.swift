public import CoreBluetooth

extension TiSensorTag {
    /// The two buttons, as on TI's key fobs.
    public struct KeyPressedService: ServiceConfigurable {
        public static let uuid = "ffe0"
        public static let name = "Sensor Tag Key Pressed"
        public static let tag = TiSensorTag.tag

        /// Which button is down. That both are cannot be said here.
        public enum State: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable, CaseIterable,
            Sendable
        {
            public typealias RawType = UInt8

            case none = 0
            case buttonOne = 1
            case buttonTwo = 2

            public static let uuid = "ffe1"
            public static let name = "Key Pressed"
            public static let properties: CBCharacteristicProperties = .notify
            public static let initialValue: Data? = SerDe.serialize(State.buttonOne)
            public static let stringValues = ["None", "Button One", "Button Two"]
        }
    }
}
