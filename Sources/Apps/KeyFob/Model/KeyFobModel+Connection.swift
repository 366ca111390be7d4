import BluethroatVirtualTime

// What connections do to the fob.
extension KeyFobModel {
    mutating func connected(at now: Instant, into effects: inout [KeyFobEffect]) {
        guard power == .on, !isConnected else { return }
        ceaseAdvertising(into: &effects)
        wantsAdvertising = false
        isConnected = true
        if immediateLevel != .none {
            proximity = .pathLoss
            beginAlert(at: now, into: &effects)
        } else {
            proximity = .inRange
            stopAlert(into: &effects)
        }
        if options.showsAdvertising { lights.setLED2(false, timers: &timers, into: &effects) }
    }

    mutating func disconnected(
        bySupervisionTimeout: Bool,
        at now: Instant,
        into effects: inout [KeyFobEffect]
    ) {
        guard isConnected else { return }
        isConnected = false
        if bySupervisionTimeout {
            proximity = .linkLoss
            forgetCentral(into: &effects)
            if linkLossLevel != .none { beginAlert(at: now, into: &effects) }
        } else {
            settle(into: &effects)
        }
        setAdvertising(wanted: true, into: &effects)
    }

    /// A connection has ended in an orderly way, or an advertising period has.
    mutating func settle(into effects: inout [KeyFobEffect]) {
        proximity = .initialized
        forgetCentral(into: &effects)
        if options.showsAdvertising { lights.setLED2(false, timers: &timers, into: &effects) }
        if alert.level != .none { stopAlert(into: &effects) }
    }

    /// Takes back what a central has set for the time of its connection.
    private mutating func forgetCentral(into effects: inout [KeyFobEffect]) {
        if options.connectionEndClearsImmediateAlert { immediateLevel = .none }
        if options.connectionEndStopsAccelerometer, accelerometerEnabled {
            accelerometerEnabled = false
            timers.cancel(.accelerometerSample)
            effects.append(.accelerometer(false))
        }
    }
}
