import BluethroatVirtualTime

/// What is known of the alert that sounds, if one does.
struct KeyFobAlert: Sendable {
    static let beep = TimeSpan.milliseconds(200)
    static let pause = TimeSpan.milliseconds(800)
    static let beepCount = 10

    /// In hertz, as the firmware names them; the timer that makes the higher one really yields 4098.
    static func tone(of level: AlertLevel) -> Int? {
        switch level {
        case .none: nil
        case .mild: 250
        case .high: 4_096
        }
    }

    var level = AlertLevel.none
    var source: AlertSource?
    /// What the buzzer sounds now, in hertz.
    var tone: Int?
    /// Beeps that have ended.
    var beepsDone = 0
}

// The alert: when it begins and ends, what it sounds and looks like.
extension KeyFobModel {
    /// A central has written something.
    mutating func written(_ value: KeyFobValue, _ byte: UInt8, at now: Instant, into effects: inout [KeyFobEffect]) {
        switch value {
        case .linkLossLevel:
            // Stored only; it lasts until it is written again or the power goes.
            if let level = AlertLevel(rawValue: byte) { linkLossLevel = level }
        case .immediateAlertLevel:
            if let level = AlertLevel(rawValue: byte) { setImmediateLevel(level, at: now, into: &effects) }
        case .accelerometerEnable:
            guard byte <= 1 || options.enableTakesAnyByte else { return }
            setAccelerometer(enabled: byte != 0, at: now, into: &effects)
        default: break
        }
    }

    private mutating func setImmediateLevel(
        _ level: AlertLevel,
        at now: Instant,
        into effects: inout [KeyFobEffect]
    ) {
        immediateLevel = level
        if level == .none {
            proximity = .inRange
            stopAlert(into: &effects)
        } else {
            proximity = .pathLoss
            beginAlert(at: now, into: &effects)
        }
    }

    /// Sounds the first of ten beeps.
    mutating func beginAlert(at now: Instant, into effects: inout [KeyFobEffect]) {
        alert.beepsDone = 0
        soundAlert(at: now, into: &effects)
    }

    /// One beep, and the lights that go with it.
    private mutating func soundAlert(at now: Instant, into effects: inout [KeyFobEffect]) {
        let level: AlertLevel
        let source: AlertSource
        switch proximity {
        case .linkLoss: (level, source) = (linkLossLevel, .linkLoss)
        case .pathLoss: (level, source) = (immediateLevel, .immediate)
        case .initialized, .inRange: return
        }
        guard level != .none else { return stopAlert(into: &effects) }
        if alert.level != level || alert.source != source {
            alert.level = level
            alert.source = source
            effects.append(.alert(level, source))
        }
        setTone(KeyFobAlert.tone(of: level), into: &effects)
        timers.arm(.buzzer, at: now + KeyFobAlert.beep)
        if level == .high || options.mildAlertLights == .flashing {
            lights.setLED1(true, into: &effects)
            lights.flashLED2(at: now, timers: &timers, into: &effects)
        } else {
            lights.setLED1(false, into: &effects)
            lights.setLED2(false, timers: &timers, into: &effects)
        }
    }

    /// The beep is over, or the pause after it.
    mutating func buzzerTurns(at now: Instant, into effects: inout [KeyFobEffect]) {
        if alert.tone != nil {
            setTone(nil, into: &effects)
            alert.beepsDone += 1
            // After the tenth only the sound ends; the alert and its lights wait for a key, a write or the radio.
            guard alert.beepsDone < KeyFobAlert.beepCount else { return }
            guard proximity == .linkLoss || proximity == .pathLoss else { return }
            timers.arm(.buzzer, at: now + KeyFobAlert.pause)
        } else if alert.level != .none {
            soundAlert(at: now, into: &effects)
        }
    }

    mutating func stopAlert(into effects: inout [KeyFobEffect]) {
        if alert.level != .none { effects.append(.alert(.none, nil)) }
        alert.level = .none
        alert.source = nil
        setTone(nil, into: &effects)
        timers.cancel(.buzzer)
        lights.setLED1(false, into: &effects)
        lights.setLED2(false, timers: &timers, into: &effects)
    }

    private mutating func setTone(_ hertz: Int?, into effects: inout [KeyFobEffect]) {
        guard alert.tone != hertz else { return }
        alert.tone = hertz
        effects.append(.tone(hertz: hertz))
    }
}
