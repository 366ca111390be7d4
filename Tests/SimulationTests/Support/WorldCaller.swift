import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime

/// An application that does not wait for the end of a call before it calls in turn.
final class WorldCaller: HostApplication {
    unowned let world: World
    var id: DeviceID?
    private(set) var count = 0
    var nextDeadline: Instant? { nil }

    init(_ world: World) { self.world = world }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        // Its ID is known after this.
        world.schedule(at: now) { [unowned self] world in
            guard let id else { return }
            world.perform(on: id) { host, now, actions in host.powerOn(at: now, into: &actions) }
        }
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        guard let id, case .poweredOn = event else { return }
        count += 1
        world.perform(on: id) { host, now, actions in host.powerOff(at: now, into: &actions) }
        world.remove(id)
    }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}
