public import BluethroatHCIServing
public import BluethroatHCITransports
public import BluethroatLivePhones

extension LiveAir {
    /// Opens a port at which hosts outside find controllers on this air, one for each connection (H4 over TCP). The
    /// caller closes the returned server.
    ///
    /// A host that goes, and be it that its process was killed, has its controller end its connections: the peers hear
    /// that it has ended them. With `clientsVanish` the controller is gone in the middle of them instead, as a device
    /// without power, and peers find out by their supervision timeouts.
    public func serveControllers(
        on address: HostPort,
        clientsVanish: Bool = false
    ) async throws(HCITransportError) -> HCIServer {
        let callbacks = clientCallbacks(clientsVanish: clientsVanish)
        return try await .serve(at: .tcp(address), received: callbacks.received, ended: callbacks.ended)
    }
}
