import BluethroatAppEnvironment
import BluethroatKeyFobPhone
import BluethroatVirtualTime

/// The app that plays TI's key fob. Its Advertise switch is turned on as soon as Bluetooth is on.
final class PlayedFob {
    private let app: KeyFobSimulator
    private let clock: AppClock

    init(clock: AppClock, random: [UInt8]) {
        let seed = random.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        app = KeyFobSimulator(random: SeededRandom(seed: seed, purpose: "key fob app"), clock: clock)
        self.clock = clock
        switchOn()
    }

    private func switchOn() {
        guard !app.switchAdvertising(true) else { return }
        _ = clock.once(after: 0.1) { [weak self] in self?.switchOn() }
    }
}
