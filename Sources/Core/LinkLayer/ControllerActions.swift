public import BluethroatAirPackets
public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// What a controller asks its caller to do after an input: packets for its host, orders for its radio.
public struct ControllerActions: Sendable {
    /// HCI packets for the host, H4 indicator first, in order.
    public var packets: [[UInt8]] = []
    /// Orders for the radio, in order.
    public var radio: [RadioOrder] = []

    public init() {}
}

/// What the one radio of a controller is to do. A new order ends the one before.
public enum RadioOrder: Sendable {
    /// Put a frame on the air now. `Controller.transmitted` reports its end.
    case transmit(channel: ChannelIndex, phy: PHY, power: SignalStrength, frame: [UInt8])
    /// Listen for one frame that begins between two instants of the controller's own clock. `Controller.received` or
    /// `Controller.heardNothing` reports the outcome.
    case listen(channel: ChannelIndex, phy: PHY, accessAddress: AccessAddress, since: Instant, until: Instant)
    /// Be silent, whatever the radio was about.
    case stop
}
