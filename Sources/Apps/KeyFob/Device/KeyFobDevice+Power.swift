import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

// The battery's contact.
extension KeyFobDevice {
    /// Whether there is a battery in the fob.
    public var isPowered: Bool { model.power != .off }

    /// Takes the battery out, in the middle of whatever the fob was doing: its radio falls silent, so that a central finds
    /// out by supervision timeout, and what was not in flash is forgotten. `restorePower` puts it back.
    public func cutPower(host: Host, at now: Instant, into actions: inout HostActions) {
        guard isPowered else { return }
        if let connection {
            tell(.disconnected(connection.peer, reason: .connectionTerminatedByLocalHost), at: now)
        }
        if model.isAdvertising { tell(.advertising(false), at: now) }
        if model.led1 { tell(.led(.led1, on: false), at: now) }
        if model.led2 { tell(.led(.led2, on: false), at: now) }
        if model.tone != nil { tell(.tone(hertz: nil), at: now) }
        connection = nil
        hand = KeyFobHand()
        requester = ParameterRequester()
        model = model.withoutPower
        host.powerOff(at: now, into: &actions)
    }

    /// Puts a battery with the same charge back in: the fob starts as it did at first.
    public func restorePower(host: Host, at now: Instant, into actions: inout HostActions) {
        guard !isPowered else { return }
        feed(.powerUp, host: host, at: now, into: &actions)
    }
}

extension KeyFobModel {
    /// A fob that has been switched off: only the battery's charge and the way it is held are as before.
    var withoutPower: KeyFobModel {
        var fresh = KeyFobModel(options: options)
        fresh.acceleration = acceleration
        fresh.battery = battery.beforeMeasuring
        return fresh
    }
}
