public import Foundation

/// The only thing besides Bluetooth that an app asks of its surroundings: to be called again later, where its managers
/// call it, and how much time has passed.
///
/// An app on a phone's own queue takes `queue`; one in a world of virtual time is given that world's.
public struct AppClock {
    private let read: () -> TimeInterval
    private let call: (_ seconds: TimeInterval, _ action: @escaping () -> Void) -> Void

    /// A clock that says how many seconds have passed since some beginning, and calls an action after so many seconds,
    /// each once.
    public init(
        reading read: @escaping () -> TimeInterval,
        calling call: @escaping (_ seconds: TimeInterval, _ action: @escaping () -> Void) -> Void
    ) {
        self.read = read
        self.call = call
    }

    /// Seconds since some beginning; never less than before.
    public var now: TimeInterval { read() }

    /// Real time, on the queue that the app lives on.
    public static func queue(_ queue: DispatchQueue) -> Self {
        let beginning = DispatchTime.now().uptimeNanoseconds
        return Self {
            TimeInterval(DispatchTime.now().uptimeNanoseconds - beginning) / 1e9
        } calling: { seconds, action in
            nonisolated(unsafe) let action = action
            queue.asyncAfter(deadline: .now() + seconds) { action() }
        }
    }

    /// Calls once, unless the timer is cancelled before.
    public func once(after seconds: TimeInterval, _ action: @escaping () -> Void) -> AppTimer {
        let timer = AppTimer()
        call(seconds) { if !timer.isCancelled { action() } }
        return timer
    }

    /// Calls again and again, until the timer is cancelled; the first time after one interval.
    public func each(_ seconds: TimeInterval, _ action: @escaping () -> Void) -> AppTimer {
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
public final class AppTimer {
    public private(set) var isCancelled = false

    public func cancel() { isCancelled = true }
}
