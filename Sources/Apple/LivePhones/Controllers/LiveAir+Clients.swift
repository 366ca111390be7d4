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
        let turns = HostTurns<AirMachine>(
            post: { air.post($0) },
            receive: { machine, packets, client, transport in
                machine.live.receive(packets, from: client) {
                    machine.world.addController(
                        named: transport.peer,
                        configuration: machine.live.nextController,
                        toHost: { transport.send($0) }
                    )
                }
            },
            detach: { machine, client in
                machine.live.detach(client, silently: clientsVanish) { [weak machine] in machine?.world.remove($0) }
            }
        )
        return ({ turns.come($0, from: $1, $2) }, { turns.end($0) })
    }
}
