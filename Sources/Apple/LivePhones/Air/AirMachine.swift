import BluethroatLiveLoop
import BluethroatLiveWorld
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime

/// A world with phones in it, as a machine that a live loop can run.
final class AirMachine: TimedMachine {
    let live: LiveWorld
    var phones: [DeviceID: Phone] = [:]
    /// What those phones have to let go of whose controllers are elsewhere.
    var links: [ControllerLink] = []
    /// Connections are being ended for good: no order of an app is carried out, and services of phones whose controllers
    /// are elsewhere hear nothing, so that they order nothing either.
    var isEnding = false

    var world: World { live.world }

    init(seed: UInt64) {
        let world = World(seed: seed)
        live = LiveWorld(world) { [unowned world] in world.tap = $0 }
        world.whenStalled = { AirLog.fail("\($0)") }
    }

    deinit {
        for link in links { link.close() }
        live.close()
    }

    var nextEventInstant: Instant? { live.nextEventInstant }

    func run(until instant: Instant) {
        world.catchUp(until: instant)
        live.flushCaptures(at: instant)
    }

    /// Silence: the controllers are reset, the files complete.
    func end() {
        // Of this everyone hears.
        isEnding = false
        for phone in phones.values { phone.losesBluetooth(in: world) }
        // Orders that have waited are answered: there is no Bluetooth.
        world.runExternalWork()
        for link in links { link.close() }
        links = []
        live.close()
    }
}
