/// How loud a central wants the fob to be; the values of the Alert Level characteristic (0x2A06).
public enum AlertLevel: UInt8, CaseIterable, Sendable {
    case none = 0
    case mild = 1
    case high = 2
}

/// Why an alert sounds.
public enum AlertSource: Hashable, Sendable {
    /// A central wrote the immediate alert level.
    case immediate
    /// The connection was lost while the link loss level was not none.
    case linkLoss
}

/// One of the two LEDs.
public enum KeyFobLED: CaseIterable, Sendable {
    case led1
    case led2
}

/// What a key fob does, in the order in which it does it.
public enum KeyFobEffect: Hashable, Sendable {
    /// An order to the radio: make yourself ready. Answered by the event `.stackStarted`.
    case startStack
    /// An order: advertise. Answered by `.advertisingStarted` or `.advertisingFailed`.
    case startAdvertising
    /// An order: advertise no longer. Answered by `.advertisingStopped`, or overtaken by `.connected`.
    case stopAdvertising
    /// An order: transmit with so many dBm from now on.
    case setTransmitPower(dBm: Int8)
    /// An order: notify the central of this value if it has subscribed to it.
    case notify(KeyFobValue, UInt8)

    /// The fob is advertising, or is no longer.
    case advertising(Bool)
    /// The keys that are down have changed.
    case keys(KeyFobKeys)
    /// The alert has begun, changed or ended; without a source it has ended.
    case alert(AlertLevel, AlertSource?)
    /// The buzzer sounds at so many hertz, or is silent.
    case tone(hertz: Int?)
    case led(KeyFobLED, Bool)
    /// The level the fob reports has changed.
    case battery(percent: UInt8)
    case transmitPower(dBm: Int8)
    /// The accelerometer has been switched on or off.
    case accelerometer(Bool)
}
