public import HCITransports
import LinkLayer
import Simulation

extension LiveAir {
    /// Opens a port at which hosts outside find controllers on this air, one for each connection (H4 over TCP). Whoever
    /// holds what is returned closes it.
    public func serveControllers(on address: HostPort) async throws(HCITransportError) -> HCIServer {
        let air = WeakAir(live)
        return try await HCIServer.listen(on: address) { transport in
            let guest = Guest()
            air.post { machine in
                guest.device = machine.world.addController(
                    named: transport.peer,
                    configuration: machine.controller(),
                    toHost: { transport.send($0) }
                )
            }
            return HCITransportCallbacks(
                received: { batch in
                    air.post { machine in
                        guard let device = guest.device else { return }
                        for packet in batch.packets { machine.world.receive(hci: packet, for: device) }
                    }
                },
                ended: { _ in
                    air.post { machine in
                        if let device = guest.device { machine.world.remove(device) }
                        guest.device = nil
                    }
                }
            )
        }
    }
}

/// A host from outside.
///
/// `@unchecked Sendable`: used on the air's thread only.
private final class Guest: @unchecked Sendable {
    var device: DeviceID?
}
