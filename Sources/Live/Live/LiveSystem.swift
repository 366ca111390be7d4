public import BluethroatControlPanel
public import BluethroatEvents
import BluethroatLiveWorld
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime
public import BluethroatWorkbench

/// The devices of a live session, with what they do: a key fob, phones with an app, a desk.
///
/// All of it lives on the thread of a live loop. A session has the rest: time, captures, ports and the panel.
public protocol LiveSystem: WorkbenchOwner {
    var session: LiveSession { get }

    /// The devices come into the world. Called once, when there are a port and a controller.
    func begin()

    /// Something may have changed: after each run of the world and after each order.
    func ran()

    /// The time that was set for the session is over. The system begins nothing new, finishes what is under way, and then
    /// calls `end`, with a failure if the session has one. By default it calls at once.
    func close(then end: @escaping (OperationFailure?) -> Void)

    /// The last thing before the end.
    func end()
}

extension LiveSystem {
    public func ran() {}
    public func end() {}
    public func close(then end: @escaping (OperationFailure?) -> Void) { end(nil) }

    public var workbench: Workbench { session.workbench }
    /// The world of the session.
    public var world: World { session.workbench.world }
    public var isVirtual: Bool { session.isVirtual }
    /// The present instant of the world.
    public var present: Instant { world.now }
    public var nextEventInstant: Instant? { session.nextEventInstant }

    public func run(until instant: Instant) {
        if session.run(until: instant) { settle() }
    }

    public func advance(by span: TimeSpan) {
        session.advance(by: span)
        settle()
    }

    public var hostPacketCount: Int { session.hostPacketCount }

    public func advanceToHostPacket(within span: TimeSpan) -> TimeSpan {
        defer { settle() }
        return session.advanceToHostPacket(within: span)
    }

    public func addKeyFob(_ kind: FobLook.Kind, named name: String?, at position: Position) -> DeviceID? {
        session.addKeyFob(kind, named: name, at: position)
    }

    /// To be called after an order that is none of the panel's: apps get what they have ordered, and observers look.
    public func settle() {
        world.runExternalWork()
        session.workbench.ran()
        session.forgetNotices()
        ran()
    }

    // MARK: Hosts and a controller elsewhere

    package func receive(_ packets: [[UInt8]], from client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        session.receive(packets, from: client, toHost: sink)
        settle()
    }

    package func attach(_ client: Int, toHost sink: @escaping ([UInt8]) -> Void) {
        session.attach(client, toHost: sink)
    }

    package func receive(_ packets: [[UInt8]], from client: Int) {
        session.receive(packets, from: client)
        settle()
    }

    package func detach(_ client: Int, silently: Bool = false) { session.detach(client, silently: silently) }

    package func receiveFromController(_ packets: [[UInt8]]) {
        session.receiveFromController(packets)
        settle()
    }

    /// Closes the captures; a controller elsewhere is left silent.
    package func finish() {
        end()
        session.finish()
    }
}
