public import BluethroatHost
public import BluethroatVirtualTime

// What people do to a fob.
extension KeyFobDevice {
    /// Clicks a key: down, 200 ms, up. A click waits for one before it. False if too many wait.
    @discardableResult
    public func click(_ key: KeyFobKey, host: Host, at now: Instant, into actions: inout HostActions) -> Bool {
        defer { moveHand(host: host, at: now, into: &actions) }
        return hand.click(key)
    }

    /// Presses a key and holds it, after any clicks that wait. False if too many do.
    @discardableResult
    public func press(_ key: KeyFobKey, host: Host, at now: Instant, into actions: inout HostActions) -> Bool {
        defer { moveHand(host: host, at: now, into: &actions) }
        return hand.hold(key)
    }

    /// Lets a key go, after any clicks that wait. False if too many do.
    @discardableResult
    public func release(_ key: KeyFobKey, host: Host, at now: Instant, into actions: inout HostActions) -> Bool {
        defer { moveHand(host: host, at: now, into: &actions) }
        return hand.release(key)
    }

    /// Turns advertising on or off, as the right key does; nothing while connected.
    public func toggleAdvertising(host: Host, at now: Instant, into actions: inout HostActions) {
        feed(.toggleAdvertising, host: host, at: now, into: &actions)
    }

    /// Charges or drains the battery to so many per cent, 0 to 100. The fob finds out when it measures next.
    public func setBattery(percent: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        feed(.batteryCharge(percent: percent), host: host, at: now, into: &actions)
    }

    /// Sets the battery's voltage.
    public func setBattery(millivolts: Int, host: Host, at now: Instant, into actions: inout HostActions) {
        feed(.batteryVoltage(millivolts: millivolts), host: host, at: now, into: &actions)
    }

    /// Holds the fob so that its sensor says this.
    public func tilt(_ acceleration: Acceleration, host: Host, at now: Instant, into actions: inout HostActions) {
        feed(.acceleration(acceleration), host: host, at: now, into: &actions)
    }

    func moveHand(host: Host, at now: Instant, into actions: inout HostActions) {
        while let event = hand.next(at: now) { feed(event, host: host, at: now, into: &actions) }
    }
}
