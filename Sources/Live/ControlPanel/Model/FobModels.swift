import BluethroatWorkbench

extension FobLook.Kind: SchemaValue {}
extension FobLook.Colour: SchemaValue {}

/// Everything that is seen and heard of a key fob.
struct FobView: Described, Hashable {
    static let schemaName = "KeyFob"

    struct Keys: Described, Hashable {
        static let schemaName = "Keys"

        @Property("Held down.") var left = false
        @Property("Held down.") var right = false
    }

    struct LEDs: Described, Hashable {
        static let schemaName = "LEDs"

        @Property var left = false
        @Property var right = false
        @Property("Blinks in an alert.") var alert = false
    }

    struct Tilt: Described, Hashable {
        static let schemaName = "Tilt"

        @Property("In g.", -8...8) var x = 0.0
        @Property("In g.", -8...8) var y = 0.0
        @Property("In g.", -8...8) var z = 0.0
    }

    struct Accelerometer: Described, Hashable {
        static let schemaName = "Accelerometer"

        @Property("Whether a central has switched it on.") var isEnabled = false
        @Property("As sent.", -128...127) var x = 0
        @Property("As sent.", -128...127) var y = 0
        @Property("As sent.", -128...127) var z = 0
    }

    struct Advertising: Described, Hashable {
        static let schemaName = "Advertising"

        @Property var isOn = false
        @Property("Whether it can be switched at the moment.") var isEnabled = false
    }

    struct Label: Described, Hashable {
        static let schemaName = "Label"

        @Property var text = ""
        @Property var colour = FobLook.Colour.black
    }

    struct Peer: Described, Hashable {
        static let schemaName = "Peer"

        @Property("Its address.") var peer = ""
        @Property("In milliseconds.") var interval = 0.0
        @Property("Events that may be left out.") var latency = 0
        @Property var isEncrypted = false
        @Property("How strongly the peer is received, in dBm.") var signalStrength: Int? = nil
        @Property("What it wants to be notified of.") var subscriptions: [String] = []
    }

    @Property("Its number, for paths.") var device = 0
    @Property var name = ""
    @Property("TI's hardware, or the simulator on a phone.") var kind = FobLook.Kind.hardware
    @Property("When it looked like this, in seconds.") var time = 0.0
    @Property("Whether it has a battery; of a phone, whether Bluetooth is on.") var isPowered = false
    @Property var address: String? = nil
    @Property("In metres.") var x = 0.0
    @Property("In metres.") var y = 0.0
    @Property var label = Label()
    @Property var keys = Keys()
    @Property var leds = LEDs()
    @Property("What sounds at this instant, in hertz.") var tones: [Int] = []
    @Property(as: .choice(["none", "mild", "high"])) var alert = ""
    @Property("What is in it, in percent.", 0...100) var battery = 0
    @Property("What centrals are told, in percent: what was measured last.", 0...100) var reportedBattery = 0
    @Property("In dBm.") var transmitPower = 0
    @Property var advertising = Advertising()
    @Property var accelerometer = Accelerometer()
    @Property var tilt = Tilt()
    @Property var connections: [Peer] = []
}

struct BatteryLevel: Described {
    static let schemaName = "BatteryLevel"

    @Property(0...100) var percent = 0
}

struct OnOff: Described {
    static let schemaName = "OnOff"

    @Property var isOn = false
}
