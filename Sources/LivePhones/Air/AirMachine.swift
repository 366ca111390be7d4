import LiveLoop
import Phones
import Simulation
import VirtualTime

/// A world with phones in it, as a machine that a live loop can run.
final class AirMachine: TimedMachine {
    let world: World
    var phones: [DeviceID: Phone] = [:]
    /// What those phones have to let go of whose controllers are elsewhere.
    var links: [ControllerLink] = []
    var captures: Captures? {
        didSet { world.tap = captures }
    }

    init(seed: UInt64) {
        world = World(seed: seed)
        world.whenStalled = { AirLog.fail("\($0)") }
    }

    deinit {
        for link in links { link.close() }
        captures?.close()
    }

    var nextEventInstant: Instant? {
        guard let flush = captures?.flushDeadline else { return world.nextEventInstant }
        return min(world.nextEventInstant ?? flush, flush)
    }

    func run(until instant: Instant) {
        world.catchUp(until: instant)
        if let flush = captures?.flushDeadline, flush <= instant { captures?.flush() }
    }

    /// Silence: the controllers are reset, the files complete.
    func end() {
        for phone in phones.values { phone.losesBluetooth(in: world) }
        for link in links { link.close() }
        links = []
        captures?.close()
        captures = nil
    }
}
