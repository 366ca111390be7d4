public import BluetoothValues
public import Host
public import VirtualTime

/// Something about a key fob that has changed, for whoever watches it.
public struct KeyFobNotice: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case advertising(Bool)
        case connected(DeviceAddress)
        case disconnected(DeviceAddress, reason: ControllerError)
        /// The keys that are down.
        case keys(KeyFobKeys)
        /// The alert and why it sounds; without a source it has ended.
        case alert(AlertLevel, AlertSource?)
        /// The buzzer's tone in hertz; nil is silence.
        case tone(hertz: Int?)
        case led(KeyFobLED, on: Bool)
        /// The level the fob measured last.
        case battery(percent: UInt8)
        case transmitPower(dBm: Int8)
        case accelerometer(enabled: Bool)
        /// A central wants, or no longer wants, to be told of a value; named by the handle of the value.
        case subscribed(DeviceAddress, BluetoothUUID, AttributeHandle, on: Bool)
        /// The radio could not be brought up, or has failed.
        case radioFailed(HostFailure)
    }

    /// When it changed.
    public var time: Instant
    public var change: Change

    public init(time: Instant, change: Change) {
        self.time = time
        self.change = change
    }
}
