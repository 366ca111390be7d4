import BluethroatSimulation
import BluethroatVirtualTime
import Foundation

/// Work that the air cannot see: what apps do on threads and dispatch queues of their own. Virtual time would outrun it,
/// so the air waits for it in real time before time goes on. What apps order meanwhile is carried out at the instant at
/// which the air waits, so that the same comes of it in every run, as long as the wait is long enough.
extension Air {
    /// How long the air waits where a test has said nothing, and before which jumps of time.
    private static let usualWait = Duration.milliseconds(20)
    private static let idleJump = TimeSpan.seconds(2)
    /// How many times as long a wait is at most, in addition, while other threads are at work.
    private static let longestExtension = 9
    /// In nanoseconds.
    private static let pacedStep: Int64 = 10_000_000

    /// Waits for what apps do elsewhere, if that is to be done before time goes on to `next`. True if it has waited: then
    /// something may have happened, and what holds now is to be looked at anew.
    func waitForOutside(before next: Instant) -> Bool {
        guard isStirred || paceBegin != nil else { return false }
        let real = realTime.now()
        var end = paceBegin.map { $0.real + Duration(next - $0.virtual) / (pace ?? 1) } ?? real
        if isStirred { end = max(end, real + quietTime(before: next)) }
        isStirred = false
        guard end > real else { return false }
        let wait = waitsForQueues ?? .zero
        repeat {
            realTime.pause()
            world.runExternalWork()
        } while !isStirred && !executor.isReady && isToWait(until: end, wait)
        return true
    }

    /// Whether the wait goes on. Where a test has said how long, it is as much longer as other threads have work to do: on a
    /// machine that has too much of it a hop would come too late otherwise.
    private func isToWait(until end: ContinuousClock.Instant, _ wait: Duration) -> Bool {
        let real = realTime.now()
        return real < end || real < end + wait * Self.longestExtension && realTime.othersAreAtWork()
    }

    /// How long nothing has to have come from outside.
    private func quietTime(before next: Instant) -> Duration {
        waitsForQueues ?? (pace != nil || next - world.now >= Self.idleJump ? Self.usualWait : .zero)
    }

    /// Where there is a pace, time goes on in steps of 10 ms: what an app does late comes at the instant that it is then.
    func paced(_ next: Instant) -> Instant {
        guard paceBegin != nil else { return next }
        return min(next, Instant(nanoseconds: (world.now.nanoseconds / Self.pacedStep + 1) * Self.pacedStep))
    }

    /// Time begins to pass: a pace counts from here.
    func beginRun() {
        isStirred = true
        paceBegin = pace.map { pace in
            precondition(pace > 0 && pace.isFinite, "a pace is a number above 0, not \(pace)")
            return (real: realTime.now(), virtual: world.now)
        }
    }
}

/// Real time for an air that waits. Our own tests put another one in its place, which does not depend on the machine.
struct RealTime {
    var now: () -> ContinuousClock.Instant = { .now }
    /// Lets a moment pass between two looks.
    var pause: () -> Void = { usleep(100) }
    /// Whether another thread of the process runs, or waits for a processor.
    var othersAreAtWork: () -> Bool = { ThreadStates.othersAreAtWork }
}

extension Duration {
    fileprivate init(_ span: TimeSpan) { self = .nanoseconds(span.nanoseconds) }
}
