import BluethroatAppEnvironment
import Foundation

/// The two tones of an alert and the LED that blinks with them.
///
/// Each tone is a clip that is played in a loop: as many whole times as fit into five seconds. Both may sound together.
/// The LED goes out as soon as one of them is over, though the other may go on.
final class AlertSounds {
    struct Tone {
        let kind: Screen.Tones
        /// Of one clip, in seconds.
        let clip: TimeInterval

        static let low = Self(kind: .low, clip: 0.993)
        static let high = Self(kind: .high, clip: 0.862)

        /// Of everything, in seconds.
        var length: TimeInterval { clip * (5 / clip).rounded(.down) }
    }

    private let clock: AppClock
    private let changed: (_ tones: Screen.Tones, _ isLit: Bool) -> Void
    private(set) var tones: Screen.Tones = []
    private var isLit = false
    private var ends: [UInt8: AppTimer] = [:]
    private var blinking: AppTimer?

    init(clock: AppClock, changed: @escaping (_ tones: Screen.Tones, _ isLit: Bool) -> Void) {
        self.clock = clock
        self.changed = changed
    }

    /// Sounds a tone and has the LED blink; nothing if the tone sounds already.
    func play(_ tone: Tone) {
        guard !tones.contains(tone.kind) else { return }
        tones.insert(tone.kind)
        ends[tone.kind.rawValue] = clock.once(after: tone.length) { [weak self] in self?.isOver(tone) }
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
        hideLED()
        changed(tones, isLit)
    }

    private func hideLED() {
        isLit = false
        blinking?.cancel()
        blinking = nil
    }
}
