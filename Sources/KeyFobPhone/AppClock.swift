public import Foundation

/// The only thing besides Bluetooth that the app asks of its surroundings: to be called again later, where its managers
/// call it.
///
/// An app on a phone's own queue takes `queue`; one in a world of virtual time is given that world's.
public struct AppClock {
    private let call: (_ seconds: TimeInterval, _ action: @escaping () -> Void) -> Void

    /// A clock that calls an action after so many seconds, each once.
    public init(calling call: @escaping (_ seconds: TimeInterval, _ action: @escaping () -> Void) -> Void) {
        self.call = call
    }

    /// Real time, on the queue that the app lives on.
    public static func queue(_ queue: DispatchQueue) -> Self {
        Self { seconds, action in
            nonisolated(unsafe) let action = action
            queue.asyncAfter(deadline: .now() + seconds) { action() }
        }
    }

    /// Calls once, unless the timer is cancelled before.
    func once(after seconds: TimeInterval, _ action: @escaping () -> Void) -> AppTimer {
        let timer = AppTimer()
        call(seconds) { if !timer.isCancelled { action() } }
        return timer
    }

    /// Calls again and again, until the timer is cancelled; the first time after one interval.
    func each(_ seconds: TimeInterval, _ action: @escaping () -> Void) -> AppTimer {
        let timer = AppTimer()
        repeatCall(seconds, timer, action)
        return timer
    }

    private func repeatCall(_ seconds: TimeInterval, _ timer: AppTimer, _ action: @escaping () -> Void) {
        call(seconds) {
            guard !timer.isCancelled else { return }
            action()
            if !timer.isCancelled { repeatCall(seconds, timer, action) }
        }
    }
}

/// Something that is still to be called.
final class AppTimer {
    private(set) var isCancelled = false

    func cancel() { isCancelled = true }
}
