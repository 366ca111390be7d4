public import BluethroatPhones
public import BluethroatSimulation

/// Something with a radio: a phone, a simulated peripheral, or what was put into the world by hand.
public protocol AirDevice {
    /// Its number in the world.
    var device: DeviceID { get }
}

extension Phone: AirDevice {}

extension DeviceID: AirDevice {
    public var device: DeviceID { self }
}
