import BluethroatVirtualTime
import Foundation
import Synchronization

/// The thread behind a `LiveLoop`, as an executor of Swift concurrency.
///
/// `@unchecked Sendable`: `machine`, `pace` and `timeLine` are touched on this thread alone, by the loop itself and by what it
/// takes from the inbox.
final class LoopThread<Machine: TimedMachine>: SerialExecutor, @unchecked Sendable {
    private enum Item {
        case order(@Sendable (Machine) -> Void)
        case job(UnownedJob)
    }

    let machine: Machine
    private var pace: LoopPace
    private var timeLine: TimeLine
    private let inbox = Inbox<Item>()
    /// The C library's name for this thread: Foundation's object would hold the loop.
    private let own = Mutex<UInt?>(nil)

    init(_ machine: sending Machine, from start: Instant) {
        self.machine = machine
        pace = LoopPace(from: start)
        timeLine = TimeLine(start: start, at: MonotonicClock.now)
    }

    func begin() {
        Thread.detachNewThread { self.run() }
    }

    /// The thread finishes what is in the inbox and goes away.
    func end() { inbox.close() }

    /// From when the thread hears of it, so many seconds of the machine pass in one of the wall's clock.
    func setSpeed(_ speed: Double) {
        post { [self] _ in
            let now = MonotonicClock.now
            timeLine = TimeLine(start: timeLine.instant(of: now), at: now, speed: speed)
        }
    }

    func post(_ order: @escaping @Sendable (Machine) -> Void) { inbox.put(.order(order)) }

    func enqueue(_ job: consuming ExecutorJob) { inbox.put(.job(UnownedJob(job))) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    var isCurrent: Bool { own.withLock { $0 == Self.current } }

    private static var current: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    private func run() {
        own.withLock { $0 = Self.current }
        while true {
            let wakeUp = pace.wakeUp(next: machine.nextEventInstant).flatMap(timeLine.reading(of:))
            guard let items = inbox.takeAll(waitingUntil: wakeUp) else { return }
            let now = timeLine.instant(of: MonotonicClock.now)
            machine.run(until: pace.target(now: now, next: machine.nextEventInstant))
            for item in items {
                switch item {
                case .order(let order): order(machine)
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                }
            }
        }
    }
}
