public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// An observer of a world: captures, traces, a panel.
public protocol WorldTap: AnyObject {
    /// A frame begins.
    func transmitted(_ transmission: Transmission, by device: DeviceID)
    /// In a world that is a part of a larger one: a frame that matters here, of a device of this part or of another, began on the
    /// air as long ago as `World.shareAir` says, 150 µs for ranks. In a crowd's air not those of this part that are found to
    /// matter only later.
    func began(_ transmission: Transmission)
    /// A frame has reached a receiver, whole or damaged.
    func received(_ delivery: Delivery, _ transmission: Transmission, by device: DeviceID)
    /// An HCI packet passes between a device's host and its controller, H4 indicator first.
    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant)
    /// A device has left the world: no more of it will come, and its ID names no other.
    func left(_ device: DeviceID)
}

extension WorldTap {
    public func transmitted(_ transmission: Transmission, by device: DeviceID) {}
    public func began(_ transmission: Transmission) {}
    public func received(_ delivery: Delivery, _ transmission: Transmission, by device: DeviceID) {}
    public func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {}
    public func left(_ device: DeviceID) {}
}
