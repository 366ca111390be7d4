public import Foundation

/// The time that an app lives in: how much of it has passed, what date it is, and to be called again later, where its
/// managers call it.
///
/// An app on a phone's own queue takes `queue`; one on a phone in a world is given that phone's, and finds itself called
/// in virtual time, at the instant, and not while it is suspended. All other clocks of apps are made of this one.
public struct AppClock: Sendable {
    private let read: @Sendable () -> TimeInterval
    private let readDate: @Sendable () -> Date
    private let call: @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Void
    /// Whether it is the time of the machine, in which any queue can call.
    public let isReal: Bool

    /// A clock of the caller's own.
    ///
    /// - Parameters:
    ///   - read: how many seconds have passed since some beginning; never less than before.
    ///   - readDate: what date it is; that of the machine if nothing else is said.
    ///   - call: calls an action once, after so many seconds, and never before it has returned itself.
    public init(
        reading read: @escaping @Sendable () -> TimeInterval,
        dating readDate: @escaping @Sendable () -> Date = { Date() },
        calling call: @escaping @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Void
    ) {
        self.read = read
        self.readDate = readDate
        self.call = call
        isReal = false
    }

    private init(_ queue: DispatchQueue) {
        let beginning = DispatchTime.now().uptimeNanoseconds
        read = { TimeInterval(DispatchTime.now().uptimeNanoseconds - beginning) / 1e9 }
        readDate = { Date() }
        call = { seconds, action in
            guard seconds > 0 else { return queue.async(execute: action) }
            queue.asyncAfter(deadline: .now() + seconds, execute: action)
        }
        isReal = true
    }

    /// Real time, on the queue that the app lives on.
    public static func queue(_ queue: DispatchQueue) -> Self { Self(queue) }

    /// Real time, on the main queue.
    public static let real = Self(.main)

    /// Seconds since some beginning; never less than before.
    public var now: TimeInterval { read() }

    /// What date it is.
    public var date: Date { readDate() }

    /// Calls once, from any thread. It cannot be cancelled.
    public func call(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) {
        call(max(0, seconds), action)
    }

    /// Calls once, unless the timer is cancelled before.
    public func once(after seconds: TimeInterval, _ action: @escaping () -> Void) -> AppTimer {
        let timer = AppTimer()
        schedule(seconds) { if !timer.isCancelled { action() } }
        return timer
    }

    /// Calls again and again, until the timer is cancelled; the first time after one interval.
    public func each(_ seconds: TimeInterval, _ action: @escaping () -> Void) -> AppTimer {
        let timer = AppTimer()
        repeatCall(seconds, timer, action)
        return timer
    }

    private func repeatCall(_ seconds: TimeInterval, _ timer: AppTimer, _ action: @escaping () -> Void) {
        schedule(seconds) {
            guard !timer.isCancelled else { return }
            action()
            if !timer.isCancelled { repeatCall(seconds, timer, action) }
        }
    }

    /// Calls what may be used on the app's queue only, which is where it is called.
    private func schedule(_ seconds: TimeInterval, _ action: @escaping () -> Void) {
        nonisolated(unsafe) let action = action
        call(seconds) { action() }
    }
}

/// Something that is still to be called.
public final class AppTimer {
    public private(set) var isCancelled = false

    public func cancel() { isCancelled = true }
}
