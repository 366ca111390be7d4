public import BluethroatHCITransports
import BluethroatLiveWorld
import BluethroatSimulation

extension LiveAir {
    /// Opens a port at which hosts outside find controllers on this air, one for each connection (H4 over TCP). The
    /// caller closes the returned server.
    public func serveControllers(on address: HostPort) async throws(HCITransportError) -> HCIServer {
        let air = WeakAir(live)
        return try await .serve(at: .tcp(address)) { packets, client, transport in
            air.post { machine in
                machine.live.receive(packets, from: client) {
                    machine.world.addController(
                        named: transport.peer,
                        configuration: machine.live.nextController,
                        toHost: { transport.send($0) }
                    )
                }
            }
        } ended: { client in
            air.post { machine in
                if let device = machine.live.detach(client) { machine.world.remove(device) }
            }
        }
    }
}
