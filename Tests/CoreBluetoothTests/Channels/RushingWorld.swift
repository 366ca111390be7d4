import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Synchronization

@testable import BluethroatPhones

/// A world that a thread of its own runs as fast as it can. Its phones call their apps on queues: the radio lives in
/// virtual time, everybody else in real threads.
final class RushingWorld: Sendable {
    private let environments = Mutex<[BluetoothEnvironment]>([])
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    init(seed: UInt64, phones names: [String]) throws {
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            let world = World(seed: seed)
            let phones = names.map { name in
                Phone(named: name, in: world, settings: nil, delivery: .queued, wake: {}) { service in
                    world.addDevice(named: name, application: service)
                }
            }
            environments.withLock { $0 = phones.map { $0.addApp().environment } }
            ready.signal()
            while !isOver.load(ordering: .relaxed) { world.run(for: .milliseconds(1)) }
            ended.signal()
        }
        try ready.meet("the world")
    }

    subscript(phone: Int) -> BluetoothEnvironment { environments.withLock { $0[phone] } }

    func end() throws {
        isOver.store(true, ordering: .relaxed)
        try ended.meet("the end of the world")
    }
}

/// A thread that runs its run loop until it is told to stop.
final class LoopThread: Sendable {
    private let loop = Mutex<Unsafe<RunLoop>?>(nil)
    private let isOver = Atomic(false)

    init() throws {
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            let current = RunLoop.current
            let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
            current.add(timer, forMode: .default)
            let reference = Unsafe(value: current)
            loop.withLock { $0 = reference }
            ready.signal()
            while !isOver.load(ordering: .relaxed) {
                _ = current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
            }
            timer.invalidate()
        }
        try ready.meet("the run loop")
    }

    var runLoop: RunLoop { loop.withLock { $0!.value } }

    func end() { isOver.store(true, ordering: .relaxed) }
}

/// Carries a run loop to another thread, which Foundation allows to whoever knows what it does.
struct Unsafe<Value>: @unchecked Sendable {
    let value: Value
}
