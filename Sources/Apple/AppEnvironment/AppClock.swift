public import Foundation

/// The time that an app lives in: how much of it has passed, what date it is, and to be called again later, where its
/// managers call it.
///
/// An app on a phone's own queue takes `queue`; one on a phone in a world is given that phone's, and finds itself called
/// in virtual time, at the instant, and not while it is suspended. All other clocks of apps are made of this one.
public struct AppClock: Sendable {
    private typealias Call = @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Void

    /// In one block, since copies of a clock are in all that wait for something.
    private final class Block: Sendable {
        let read: @Sendable () -> TimeInterval
        let readDate: @Sendable () -> Date
        let call: Call
        let isReal: Bool

        init(
            _ read: @escaping @Sendable () -> TimeInterval,
            _ readDate: @escaping @Sendable () -> Date,
            isReal: Bool,
            _ call: @escaping Call
        ) {
            self.read = read
            self.readDate = readDate
            self.isReal = isReal
            self.call = call
        }
    }

    private let block: Block

    /// Whether it is the time of the machine, in which any queue can call.
    public var isReal: Bool { block.isReal }

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
        block = Block(read, readDate, isReal: false, call)
    }

    private init(_ queue: DispatchQueue) {
        let beginning = DispatchTime.now().uptimeNanoseconds
        let read: @Sendable () -> TimeInterval = {
            TimeInterval(DispatchTime.now().uptimeNanoseconds - beginning) / 1e9
        }
        block = Block(read, { Date() }, isReal: true) { seconds, action in
            guard seconds > 0 else { return queue.async(execute: action) }
            queue.asyncAfter(deadline: .now() + seconds, execute: action)
        }
    }

    /// Real time, on the queue that the app lives on.
    public static func queue(_ queue: DispatchQueue) -> Self { Self(queue) }

    /// Real time, on the main queue.
    public static let real = Self(.main)

    /// Seconds since some beginning; never less than before.
    public var now: TimeInterval { block.read() }

    /// What date it is.
    public var date: Date { block.readDate() }

    /// Calls once, from any thread. It cannot be cancelled.
    public func call(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) {
        block.call(max(0, seconds), action)
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
        block.call(seconds) { action() }
    }
}

/// Something that is still to be called.
public final class AppTimer {
    public private(set) var isCancelled = false

    public func cancel() { isCancelled = true }
}
