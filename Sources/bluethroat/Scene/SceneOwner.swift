import ControlPanel
import RadioMedium
import Simulation
import Stage
import VirtualTime

/// Who plays in a live world, and what a command wants to know of them. A command has a class for that.
///
/// All of it lives on the thread of a live loop. A scene has done the rest already.
protocol SceneOwner: StageOwner {
    var scene: LiveScene { get }

    /// Everybody comes onto the stage. Called once, when there are a port and a controller.
    func begin()

    /// Something may have changed: after each run of the world and after each order.
    func ran()

    /// The last thing before the end.
    func end()
}

extension SceneOwner {
    func ran() {}
    func end() {}

    var stage: Stage { scene.stage }
    var world: World { scene.stage.world }
    var isVirtual: Bool { scene.isVirtual }
    var present: Instant { world.now }
    var nextEventInstant: Instant? { scene.nextEventInstant }

    func run(until instant: Instant) {
        if scene.run(until: instant) { settle() }
    }

    func advance(by span: TimeSpan) {
        scene.advance(by: span)
        settle()
    }

    func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID? {
        scene.addKeyFob(kind, named: name, at: position)
    }

    /// To be called after an order that is none of the panel's: apps get what they have ordered, and onlookers look.
    func settle() {
        world.runExternalWork()
        scene.stage.ran()
        scene.forgetNotices()
        ran()
    }

    // MARK: Hosts and a controller elsewhere

    func attach(_ client: Int, toHost sink: @escaping ([UInt8]) -> Void) { scene.attach(client, toHost: sink) }

    func receive(_ packets: [[UInt8]], from client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        scene.receive(packets, from: client, toHost: sink)
        settle()
    }

    func receive(_ packets: [[UInt8]], from client: Int) {
        scene.receive(packets, from: client)
        settle()
    }

    func detach(_ client: Int) { scene.detach(client) }

    func receiveFromController(_ packets: [[UInt8]]) {
        scene.receiveFromController(packets)
        settle()
    }

    /// Closes the captures; a controller elsewhere is left silent.
    func finish() {
        end()
        scene.finish()
    }
}
