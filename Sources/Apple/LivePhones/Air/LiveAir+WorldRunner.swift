public import BluethroatHost
public import BluethroatLinkLayer
import BluethroatLiveLoop
public import BluethroatSimulation

extension LiveAir: WorldRunner {
    public var isOnWorldsThread: Bool { live.isOnLoopThread }

    public func enter(_ action: @escaping @Sendable (World) -> Void) {
        live.performAndWait { machine in action(machine.world) }
    }

    public func configure(_ controller: inout ControllerConfiguration, _ host: inout HostConfiguration) {
        if controller.secret == nil { controller.secret = .fromSystem() }
        if host.secret == nil { host.secret = .fromSystem() }
    }
}
