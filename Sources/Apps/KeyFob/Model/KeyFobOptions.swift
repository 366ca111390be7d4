public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// A release of TI's KeyFobDemo firmware, named after the BLE stack it came with.
public enum KeyFobFirmware: String, CaseIterable, Sendable {
    /// July 2011: custom battery service, other device name, no PnP ID.
    case v1_1 = "1.1"
    /// 2012: the battery service of the SIG.
    case v1_2 = "1.2"
    /// December 2012: LED2 shows advertising, the accelerometer stops with the connection.
    case v1_3 = "1.3"
    /// June 2013: asks the central for other connection parameters.
    case v1_3_2 = "1.3.2"
    /// November 2013, and without a difference 1.4.2.2 of 2016: strings without trailing NUL.
    case v1_4 = "1.4"
}

/// Everything in which key fobs, or what is written about them, differ. `KeyFobOptions()` is the latest firmware, as its
/// source and the board have it; `KeyFobOptions.described()` is the same fob as the texts about it describe it.
public struct KeyFobOptions: Hashable, Sendable {
    /// Which battery service the fob has.
    public enum BatteryService: Hashable, Sendable {
        /// 0x180F of the SIG: level with notification, checked every 10 s.
        case assigned
        /// TI's 0xFFB0 of stack 1.1: level and state, read only, checked every 5 s.
        case custom
    }

    /// The acceleration sensor on the board.
    public enum AccelerometerChip: String, Hashable, Sendable {
        /// CMA3000-D01, beside the CC2540.
        case cma3000
        /// BMA250, beside the CC2541.
        case bma250

        /// What the sensor says of one g.
        public var countsPerG: Int {
            switch self {
            case .cma3000: 56
            case .bma250: 64
            }
        }
    }

    /// What the LEDs do in a mild alert.
    public enum MildAlertLights: String, Hashable, Sendable {
        /// Both dark, as in the firmware.
        case dark
        /// As in a high alert, as the article of 2013 has it.
        case flashing
    }

    /// What a press of a key is.
    public enum KeyTiming: String, Hashable, Sendable {
        /// The change that the firmware's handler receives, at its instant.
        case reported
        /// The contact on the board: 25 ms of debouncing come before a press is reported, and while a key is held
        /// changes are found by looking every 100 ms. A press shorter than the debouncing is lost.
        case contacts
    }

    /// The Device Name characteristic, 0x2A00; the name that is advertised is another one, and always the same.
    public var deviceName: String
    public var batteryService: BatteryService
    /// Whether Device Information ends with the PnP ID.
    public var hasPnPID: Bool
    /// Whether the strings of Device Information are read with a NUL at the end.
    public var stringsEndWithNUL: Bool
    /// Whether the Peripheral Privacy Flag can be written.
    public var privacyFlagIsWritable: Bool
    /// Whether the Reconnection Address can be read; it is declared so in some builds.
    public var reconnectionAddressIsReadable: Bool
    /// Whether X, Y, Z and the key state can be read, as TI's guide says and TI's firmware refuses.
    public var notifiedValuesAreReadable: Bool
    /// Whether any byte but 0 enables the accelerometer, as the article of 2013 says; the firmware takes 0 and 1 only.
    public var enableTakesAnyByte = false
    /// Whether the fob asks for 100 ms to 1 s, latency 0, timeout 10 s if the central chose something else.
    public var requestsConnectionParameters: Bool
    /// How long after the connection it asks.
    public var connectionParameterPause: TimeSpan
    /// Whether LED2 is on while the fob advertises.
    public var showsAdvertising: Bool
    /// Whether a connection's end stops the accelerometer and clears its enabling.
    public var connectionEndStopsAccelerometer: Bool
    /// Whether a connection's end sets the immediate alert level back to none.
    public var connectionEndClearsImmediateAlert: Bool
    /// Whether advertising starts with the stack, rather than at the first press of the right key.
    public var advertisesAtStart: Bool
    /// How long the fob advertises before it gives up. TI's comments say 30.72 s, one header says 180 s.
    public var advertisingDuration: TimeSpan
    /// TI's general default is 100 ms; 1.28 s in builds with `GAP_STANDARDS`.
    public var advertisingInterval: AdvertisingInterval
    public var accelerometerChip: AccelerometerChip
    public var mildAlertLights: MildAlertLights
    public var keyTiming: KeyTiming
    /// The longest ATT PDU, 23 to 517 bytes: what the fob answers to Exchange MTU.
    public var attMTU = Self.stackMTU
    /// The same in every release.
    public var pairing = KeyFobPairing()

    /// `ATT_MTU_SIZE` of TI's BLE-Stack 1.x for the CC2540. It is fixed; the stack answers each Exchange MTU with it.
    public static let stackMTU = 23

    /// The fob as TI's guide and the article of 2013 describe it, where the firmware does something else: X, Y, Z and
    /// the key state can be read, the Reconnection Address is read as zeros, any byte but 0 enables the accelerometer, and
    /// the LEDs flash in a mild alert too.
    public static func described(firmware: KeyFobFirmware = .v1_4) -> Self {
        var options = Self(firmware: firmware)
        options.notifiedValuesAreReadable = true
        options.reconnectionAddressIsReadable = true
        options.enableTakesAnyByte = true
        options.mildAlertLights = .flashing
        return options
    }

    /// The fob as a firmware release makes it.
    public init(firmware: KeyFobFirmware = .v1_4) {
        let is1_3OrLater = firmware != .v1_1 && firmware != .v1_2
        let is1_3_2OrLater = is1_3OrLater && firmware != .v1_3
        deviceName = is1_3OrLater ? "TI BLE Keyfob" : "CC2540DK-mini Keyfob"
        batteryService = firmware == .v1_1 ? .custom : .assigned
        hasPnPID = firmware != .v1_1
        stringsEndWithNUL = firmware != .v1_4
        privacyFlagIsWritable = !is1_3_2OrLater
        reconnectionAddressIsReadable = false
        notifiedValuesAreReadable = false
        requestsConnectionParameters = is1_3_2OrLater
        connectionParameterPause = is1_3_2OrLater ? .seconds(5) : .zero
        showsAdvertising = is1_3OrLater
        connectionEndStopsAccelerometer = is1_3OrLater
        connectionEndClearsImmediateAlert = is1_3OrLater
        advertisesAtStart = false
        advertisingDuration = .milliseconds(30_720)
        advertisingInterval = AdvertisingInterval(steps: 160)!
        accelerometerChip = .cma3000
        mildAlertLights = .dark
        keyTiming = .reported
    }
}
