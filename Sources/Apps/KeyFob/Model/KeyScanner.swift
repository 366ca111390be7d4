import BluethroatVirtualTime

/// From contacts on the board to the changes that the firmware's key handler receives.
///
/// The board interrupts when a key goes down and looks 25 ms later; while a key is held it looks every 100 ms
/// instead. With `KeyTiming.reported` every change of a contact is reported as it comes.
struct KeyScanner: Sendable {
    static let debouncing = TimeSpan.milliseconds(25)
    static let polling = TimeSpan.milliseconds(100)

    let timing: KeyFobOptions.KeyTiming
    /// The contacts that are closed.
    private var down: KeyFobKeys = []
    /// What the handler received last.
    private(set) var reported: KeyFobKeys = []

    init(timing: KeyFobOptions.KeyTiming) { self.timing = timing }

    /// A contact closes or opens. Answers the keys to report, if there is a change to report now.
    mutating func move(
        _ key: KeyFobKey,
        down isDown: Bool,
        at now: Instant,
        timers: inout Deadlines<KeyFobTimer>
    ) -> KeyFobKeys? {
        let before = down
        if isDown { down.insert(KeyFobKeys(key)) } else { down.remove(KeyFobKeys(key)) }
        guard down != before else { return nil }
        switch timing {
        case .reported:
            reported = down
            return down
        case .contacts:
            // Only a falling edge interrupts, and only while nothing is held; each starts the wait anew.
            if isDown, reported.isEmpty { timers.arm(.keyScan, at: now + Self.debouncing) }
            return nil
        }
    }

    /// The board looks at its contacts.
    mutating func scan(at now: Instant, timers: inout Deadlines<KeyFobTimer>) -> KeyFobKeys? {
        let before = reported
        reported = down
        if !down.isEmpty { timers.arm(.keyScan, at: now + Self.polling) }
        return down == before ? nil : down
    }
}
