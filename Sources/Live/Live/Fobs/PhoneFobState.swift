import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatKeyFobPhone

/// What can be seen of the app that plays a fob, to be compared with what was seen before.
struct PhoneFobState: Equatable {
    private var screen = Screen()
    private var isAccelerometerActive = false
    private var isInBackground = false
    private var cause = AlertSource.immediate

    /// At launch.
    init() {}

    init(_ app: KeyFobSimulator) {
        screen = app.screen
        isAccelerometerActive = app.isAccelerometerActive
        isInBackground = app.isInBackground
        cause = app.alertCause == .immediate ? .immediate : .linkLoss
    }

    /// What the tones say.
    private var level: AlertLevel {
        if screen.tones.contains(.high) { return .high }
        return screen.tones.contains(.low) ? .mild : .none
    }

    func changes(since old: Self) -> [FobNotice.Change] {
        var changes: [FobNotice.Change] = []
        func add(_ change: @autoclosure () -> FobNotice.Change, if differs: Bool) {
            if differs { changes.append(change()) }
        }
        let before = old.screen
        add(.status(screen.status.text, colour: screen.status.colour.rawValue), if: screen.status != before.status)
        add(.background(isInBackground), if: isInBackground != old.isInBackground)
        add(.about(screen.about != nil), if: (screen.about != nil) != (before.about != nil))
        add(.fob(.keys(KeyFobKeys(rawValue: screen.buttons.rawValue))), if: screen.buttons != before.buttons)
        add(.lamp(.left, on: screen.leftLED), if: screen.leftLED != before.leftLED)
        add(.lamp(.right, on: screen.rightLED), if: screen.rightLED != before.rightLED)
        add(.fob(.transmitPower(dBm: screen.transmitPower)), if: screen.transmitPower != before.transmitPower)
        add(.fob(.battery(percent: screen.batteryLevel)), if: screen.batterySlider != before.batterySlider)
        add(
            .fob(.accelerometer(enabled: isAccelerometerActive)),
            if: isAccelerometerActive != old.isAccelerometerActive
        )
        add(.fob(.alert(level, cause)), if: level != old.level)
        add(
            .tone(.low, on: screen.tones.contains(.low)),
            if: screen.tones.contains(.low) != before.tones.contains(.low)
        )
        add(
            .tone(.high, on: screen.tones.contains(.high)),
            if: screen.tones.contains(.high) != before.tones.contains(.high)
        )
        add(.lamp(.alert, on: screen.alertLED), if: screen.alertLED != before.alertLED)
        return changes
    }
}
