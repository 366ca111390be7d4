import BluethroatVirtualTime

/// The two LEDs, the second of which can flash: 50 times, once a second, 50 ms each.
struct KeyFobLights: Sendable {
    static let flashOn = TimeSpan.milliseconds(50)
    static let flashOff = TimeSpan.milliseconds(950)
    static let flashCount = 50

    private struct Flash {
        var blinksLeft: Int
        /// How the LED was before it flashed, and will be afterwards.
        var before: Bool
    }

    private(set) var led1 = false
    private(set) var led2 = false
    private var flash: Flash?

    /// Whether LED2 flashes, lit at this moment or not.
    var isFlashing: Bool { flash != nil }

    mutating func setLED1(_ on: Bool, into effects: inout [KeyFobEffect]) {
        guard led1 != on else { return }
        led1 = on
        effects.append(.led(.led1, on))
    }

    /// Steadily on or off; a flashing ends with it.
    mutating func setLED2(_ on: Bool, timers: inout Deadlines<KeyFobTimer>, into effects: inout [KeyFobEffect]) {
        flash = nil
        timers.cancel(.flash)
        showLED2(on, into: &effects)
    }

    /// Begins the flashing, or begins it anew.
    mutating func flashLED2(
        at now: Instant,
        timers: inout Deadlines<KeyFobTimer>,
        into effects: inout [KeyFobEffect]
    ) {
        flash = Flash(blinksLeft: Self.flashCount, before: flash?.before ?? led2)
        timers.arm(.flash, at: now + Self.flashOn)
        showLED2(true, into: &effects)
    }

    mutating func expireFlash(
        at now: Instant,
        timers: inout Deadlines<KeyFobTimer>,
        into effects: inout [KeyFobEffect]
    ) {
        guard let flash else { return }
        guard led2 else {
            timers.arm(.flash, at: now + Self.flashOn)
            return showLED2(true, into: &effects)
        }
        if flash.blinksLeft > 1 {
            self.flash?.blinksLeft -= 1
            timers.arm(.flash, at: now + Self.flashOff)
            showLED2(false, into: &effects)
        } else {
            self.flash = nil
            showLED2(flash.before, into: &effects)
        }
    }

    private mutating func showLED2(_ on: Bool, into effects: inout [KeyFobEffect]) {
        guard led2 != on else { return }
        led2 = on
        effects.append(.led(.led2, on))
    }
}
