package import BluethroatHCITransports
package import BluethroatListening
import Synchronization

extension HCIServer {
    /// Opens a port at which hosts find controllers in a live world, one for each connection (H4).
    ///
    /// - Parameters:
    ///   - received: takes what a client sends, to the thread of the world, and keeps each batch until that is done with
    ///     it: a client of whose packets too many wait is not read. Clients have numbers.
    ///   - ended: hears that a client has gone, behind all that it sent.
    ///   - misbehaved: hears one line of a client that did what ended its link.
    package static func serve(
        at place: HCIListeningPlace,
        received: @escaping @Sendable (_ batch: HCIBatch, _ client: Int, any HCITransport) -> Void,
        ended: @escaping @Sendable (_ client: Int) -> Void,
        misbehaved: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(HCITransportError) -> HCIServer {
        try await admit(at: place) { client, transport in
            HCITransportCallbacks(
                received: { batch in received(batch, client, transport) },
                ended: { end in
                    ended(client)
                    if end.isMisbehaviour { misbehaved("\(transport.peer): \(end)") }
                }
            )
        }
    }

    /// Opens a port whose clients have numbers, beginning with 1.
    ///
    /// - Parameter come: gets each client before anything that it sent is read, and returns its callbacks.
    package static func admit(
        at place: HCIListeningPlace,
        limits: ListeningLimits = ListeningLimits(),
        come: @escaping @Sendable (_ client: Int, any HCITransport) -> HCITransportCallbacks
    ) async throws(HCITransportError) -> HCIServer {
        let clients = Counter()
        return try await HCIServer.listen(at: place, limits: limits) { transport in come(clients.next(), transport) }
    }
}

/// Numbers that are given out once.
private final class Counter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
