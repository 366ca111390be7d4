public import BluethroatHost
public import BluethroatKeyFob
public import BluethroatVirtualTime

extension KeyFobDevice {
    /// What came of a word.
    public enum Obedience: Hashable, Sendable {
        case done
        /// Too many clicks wait already.
        case tooManyKeys
        /// The word is about the world, not about the fob: `d`, `q`, and what only a phone understands.
        case notForTheFob
    }

    /// Does what a word says.
    public func obey(
        _ word: KeyFobWord,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) -> Obedience {
        switch word {
        case .click(let key):
            return click(key, host: host, at: now, into: &actions) ? .done : .tooManyKeys
        case .hold(let key):
            return press(key, host: host, at: now, into: &actions) ? .done : .tooManyKeys
        case .release(let key):
            return release(key, host: host, at: now, into: &actions) ? .done : .tooManyKeys
        case .toggleAdvertising:
            toggleAdvertising(host: host, at: now, into: &actions)
        case .battery(let percent):
            setBattery(percent: percent, host: host, at: now, into: &actions)
        case .tilt(let acceleration):
            tilt(acceleration, host: host, at: now, into: &actions)
        case .tiltInG(let x, let y, let z):
            let acceleration = Acceleration(gX: x, gY: y, gZ: z, chip: options.accelerometerChip)
            tilt(acceleration, host: host, at: now, into: &actions)
        case .distance, .quit, .central, .bluetooth, .background, .about:
            return .notForTheFob
        }
        return .done
    }
}
