import BluethroatBluetoothValues
import BluethroatHost
public import BluethroatKeyFob
import BluethroatLinkLayer
public import BluethroatSimulation
import BluethroatVirtualTime

/// TI's key fob: keys, accelerometer, battery, alerts. `docs/keyfob.md` describes what it does.
public final class SimulatedKeyFob: AirDevice {
    public let device: DeviceID
    /// The fob itself, to look at.
    public let fob: KeyFobDevice
    private weak var air: Air?

    init(_ options: KeyFobOptions, at place: Place, on air: Air) {
        self.air = air
        fob = KeyFobDevice(options: options)
        let id = air.world.nextID
        device = air.world.addDevice(
            named: "Keyfobdemo",
            controller: .core40(
                publicAddress: air.world.defaultAddress(of: id.rawValue),
                company: .texasInstruments
            ),
            host: KeyFobDevice.hostConfiguration(
                seed: air.seed,
                device: UInt64(id.rawValue),
                pairing: options.pairing,
                attMTU: options.attMTU
            ),
            at: place.position,
            application: air.faults.stand(before: fob, of: "Keyfobdemo", in: air.world)
        )
        air.deviceArrived()
    }

    /// Clicks a key: down, 200 ms, up. The right one begins and ends advertising.
    public func click(_ key: KeyFobKey) {
        perform { host, now, actions in fob.click(key, host: host, at: now, into: &actions) }
    }

    public func press(_ key: KeyFobKey) {
        perform { host, now, actions in fob.press(key, host: host, at: now, into: &actions) }
    }

    public func release(_ key: KeyFobKey) {
        perform { host, now, actions in fob.release(key, host: host, at: now, into: &actions) }
    }

    /// Charges or drains the battery to so many per cent; the fob finds out when it measures next.
    public func setBattery(percent: Int) {
        perform { host, now, actions in fob.setBattery(percent: percent, host: host, at: now, into: &actions) }
    }

    /// Holds the fob so that its sensor says this.
    public func tilt(_ acceleration: Acceleration) {
        perform { host, now, actions in fob.tilt(acceleration, host: host, at: now, into: &actions) }
    }

    private func perform(_ body: (BluetoothHost, Instant, inout HostActions) -> Void) {
        air?.world.perform(on: device) { host, now, actions in body(host, now, &actions) }
    }
}

extension Air {
    /// Puts TI's key fob on the air. Unless its options say otherwise it is silent until its right key is clicked.
    public func addKeyFob(_ options: KeyFobOptions = KeyFobOptions(), at place: Place = .near) -> SimulatedKeyFob {
        SimulatedKeyFob(options, at: place, on: self)
    }
}
