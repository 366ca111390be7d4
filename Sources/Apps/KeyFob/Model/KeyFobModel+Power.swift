import BluethroatVirtualTime

// Power-up, and the two sensors that run on timers.
extension KeyFobModel {
    mutating func powerUp(at now: Instant) {
        guard power == .off else { return }
        power = .startingStack
        wantsAdvertising = options.advertisesAtStart
        timers.arm(.stackStart, at: now + Self.stackDelay)
    }

    mutating func startStack(at now: Instant, into effects: inout [KeyFobEffect]) {
        timers.arm(.batteryCheck, at: now + battery.checkPeriod)
        timers.arm(.powerLightEnd, at: now + Self.powerLight)
        lights.setLED1(true, into: &effects)
        effects.append(.startStack)
    }

    mutating func stackStarted(into effects: inout [KeyFobEffect]) {
        guard power == .startingStack else { return }
        power = .on
        applyWantedAdvertising(into: &effects)
    }

    mutating func checkBattery(at now: Instant, into effects: inout [KeyFobEffect]) {
        timers.arm(.batteryCheck, at: now + battery.checkPeriod)
        guard battery.measure() else { return }
        effects.append(.battery(percent: battery.level))
        if options.batteryService == .assigned { effects.append(.notify(.batteryLevel, battery.level)) }
    }

    mutating func setAccelerometer(enabled: Bool, at now: Instant, into effects: inout [KeyFobEffect]) {
        // Enabling what is enabled initialises the sensor again: the next sample is a whole period away.
        if enabled {
            timers.arm(.accelerometerSample, at: now + Self.accelerometerPeriod)
        } else {
            timers.cancel(.accelerometerSample)
        }
        guard accelerometerEnabled != enabled else { return }
        accelerometerEnabled = enabled
        effects.append(.accelerometer(enabled))
    }

    mutating func sampleAccelerometer(at now: Instant, into effects: inout [KeyFobEffect]) {
        timers.arm(.accelerometerSample, at: now + Self.accelerometerPeriod)
        filter.sample(acceleration, into: &effects)
    }
}
