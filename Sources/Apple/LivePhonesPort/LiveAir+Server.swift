public import BluethroatHCIServing
public import BluethroatHCITransports
public import BluethroatLivePhones

extension LiveAir {
    /// Opens a port at which hosts outside find controllers on this air, one for each connection (H4 over TCP). The
    /// caller closes the returned server.
    public func serveControllers(on address: HostPort) async throws(HCITransportError) -> HCIServer {
        let callbacks = clientCallbacks()
        return try await .serve(at: .tcp(address), received: callbacks.received, ended: callbacks.ended)
    }
}
