package import BluethroatHCITransports
import BluethroatLiveWorld
import BluethroatSimulation

extension LiveAir {
    /// What a port does with its clients, each of which finds a controller on this air: one closure takes the packets
    /// that a client has sent, the other one is called when the client has gone. With `clientsVanish` its controller does
    /// not end its connections first.
    package func clientCallbacks(clientsVanish: Bool) -> (
        received: @Sendable (_ batch: HCIBatch, _ client: Int, any HCITransport) -> Void,
        ended: @Sendable (_ client: Int) -> Void
    ) {
        let air = WeakAir(live)
        return (
            { batch, client, transport in
                air.post { machine in
                    machine.live.receive(batch.packets, from: client) {
                        machine.world.addController(
                            named: transport.peer,
                            configuration: machine.live.nextController,
                            toHost: { transport.send($0) }
                        )
                    }
                }
            },
            { client in
                air.post { machine in
                    machine.live.detach(client, silently: clientsVanish) { [weak machine] in machine?.world.remove($0) }
                }
            }
        )
    }
}
