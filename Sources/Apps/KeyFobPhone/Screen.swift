/// What the app shows and sounds: everything that the phone's user sees and hears of it.
///
/// A value, so that a panel, a terminal or a test can keep one and compare it with the next.
public struct Screen: Hashable, Sendable {
    public enum Colour: String, Hashable, Sendable {
        case black
        case green
        case red
    }

    public struct Label: Hashable, Sendable {
        public var text: String
        public var colour: Colour

        public init(_ text: String, _ colour: Colour = .black) {
            self.text = text
            self.colour = colour
        }
    }

    /// The two buttons; their bits are those of the key state that is sent.
    public struct Buttons: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public static let left = Self(rawValue: 1)
        public static let right = Self(rawValue: 2)

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The tones that sound; both may at once.
    public struct Tones: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        /// For a mild alert.
        public static let low = Self(rawValue: 1)
        /// For a high alert.
        public static let high = Self(rawValue: 2)

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    public struct Slider: Hashable, Sendable {
        /// From 0 to 100.
        public var value: Double
        public var minimumTrackColour: Colour { .green }
        public var maximumTrackColour: Colour { .red }
    }

    public struct Switch: Hashable, Sendable {
        public var isOn: Bool
        public var isEnabled: Bool
    }

    /// What the About button brings up, over everything else.
    public struct About: Hashable, Sendable {
        public let labels = ["Key Fob Simulator", "Connect to Key Fob with any BLE client."]
        public let backButton = "Back"
    }

    /// In the navigation bar, beside the About button.
    public var title: String { "Key Fob Simulator" }
    /// Whether Bluetooth can be used.
    public internal(set) var status = Label("Unknown")
    /// The buttons that are held down.
    public internal(set) var buttons: Buttons = []
    /// The yellow LEDs of the fob in the picture, beside its buttons.
    public var leftLED: Bool { buttons.contains(.left) }
    public var rightLED: Bool { buttons.contains(.right) }
    /// The small yellow LED at the fob's tip.
    public internal(set) var alertLED = false
    public internal(set) var tones: Tones = []
    public internal(set) var batterySlider = Slider(value: 80)
    public var batteryLabel: String { "Battery Level: \(batteryLevel)" }
    public var advertiseLabel: String { "Advertise" }
    public internal(set) var advertiseSwitch = Switch(isOn: false, isEnabled: false)
    /// In dBm: 0 or -6.
    public internal(set) var transmitPower: Int8 = 0
    public var transmitPowerLabel: String { "Transmit Power= \(transmitPower) dBm" }
    /// Nil while the fob is seen.
    public internal(set) var about: About?

    public init() {}

    /// What is read and sent: the slider's value without its fraction.
    public var batteryLevel: UInt8 { UInt8(batterySlider.value) }
}
