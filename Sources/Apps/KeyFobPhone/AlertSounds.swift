import BluethroatAppEnvironment
import Foundation

/// The two tones of an alert and the LED that blinks with them.
///
/// Each tone is a clip that is played in a loop for 10 s. Both may sound together; the LED blinks until both are over. In
/// the app's source it is as many whole clips as fit into five seconds, and the LED goes out with the first of them.
final class AlertSounds {
    struct Tone {
        let kind: Screen.Tones
        /// Of one clip, in seconds.
        let clip: TimeInterval

        static let low = Self(kind: .low, clip: 0.993)
        static let high = Self(kind: .high, clip: 0.862)

        /// Of everything, in seconds.
        func length(asInSource: Bool) -> TimeInterval { asInSource ? clip * (5 / clip).rounded(.down) : 10 }
    }

    private let clock: AppClock
    private let lastsAsInSource: Bool
    private let changed: (_ tones: Screen.Tones, _ isLit: Bool) -> Void
    private(set) var tones: Screen.Tones = []
    private var isLit = false
    private var ends: [UInt8: AppTimer] = [:]
    private var blinking: AppTimer?

    /// - Parameter lastsAsInSource: whether tones and LED end as in the app's source.
    init(
        clock: AppClock,
        lastsAsInSource: Bool,
        changed: @escaping (_ tones: Screen.Tones, _ isLit: Bool) -> Void
    ) {
        self.clock = clock
        self.lastsAsInSource = lastsAsInSource
        self.changed = changed
    }

    /// Sounds a tone and has the LED blink; nothing if the tone sounds already.
    func play(_ tone: Tone) {
        guard !tones.contains(tone.kind) else { return }
        tones.insert(tone.kind)
        ends[tone.kind.rawValue] = clock.once(after: tone.length(asInSource: lastsAsInSource)) { [weak self] in
            self?.isOver(tone)
        }
        if blinking == nil {
            isLit = true
            blinking = clock.each(0.5) { [weak self] in
                guard let self else { return }
                isLit.toggle()
                changed(tones, isLit)
            }
        }
        changed(tones, isLit)
    }

    /// Silences these tones and hides the LED.
    func stop(_ stopped: Screen.Tones) {
        for kind in [Screen.Tones.low, .high] where stopped.contains(kind) {
            ends.removeValue(forKey: kind.rawValue)?.cancel()
        }
        tones.subtract(stopped)
        hideLED()
        changed(tones, isLit)
    }

    private func isOver(_ tone: Tone) {
        ends[tone.kind.rawValue] = nil
        tones.remove(tone.kind)
        if tones.isEmpty || lastsAsInSource { hideLED() }
        changed(tones, isLit)
    }

    private func hideLED() {
        isLit = false
        blinking?.cancel()
        blinking = nil
    }
}
