import BluethroatHCITransports
import Synchronization

/// Carries HCI between a host that has come here and a controller elsewhere, which is opened when the host sends its first
/// packet: a host that only looks costs the air nothing.
final class HostRelay: Sendable {
    /// Why a relay is over.
    enum End: Sendable {
        /// The host is gone.
        case host(HCITransportEnd)
        /// There is no controller any more, or none could be had: one line.
        case controller(String)
    }

    private enum Phase {
        case idle
        /// A controller is being opened; the packets wait for it.
        case opening([HCIBatch])
        case open(any HCITransport)
        case over
    }

    private let host: any HCITransport
    private let controllers: HCIEndpoint
    private let ended: @Sendable (End) -> Void
    private let phase = Mutex(Phase.idle)
    private let hostIsGone: AsyncStream<Never>
    private let hostGoes: AsyncStream<Never>.Continuation

    /// - Parameters:
    ///   - host: the way to the host; its callbacks are `callbacks`.
    ///   - controllers: where a controller is opened.
    ///   - ended: hears once that it is over, on any thread. The other side is told by then.
    init(_ host: any HCITransport, to controllers: HCIEndpoint, ended: @escaping @Sendable (End) -> Void) {
        self.host = host
        self.controllers = controllers
        self.ended = ended
        (hostIsGone, hostGoes) = AsyncStream.makeStream()
    }

    /// What hears the host.
    var callbacks: HCITransportCallbacks {
        HCITransportCallbacks(
            received: { self.receive($0) },
            ended: { end in
                self.finish(.host(end))
                self.hostGoes.finish()
            }
        )
    }

    /// Ends both links, and returns when the host's is closed.
    func close() async {
        finish(.host(.closedHere))
        for await _ in hostIsGone {}
    }

    private func receive(_ batch: HCIBatch) {
        let isFirst = phase.withLock { phase in
            switch phase {
            case .idle:
                phase = .opening([batch])
                return true
            case .opening(let waiting): phase = .opening(waiting + [batch])
            case .open(let controller): for packet in batch.packets { controller.send(packet) }
            case .over: break
            }
            return false
        }
        if isFirst { Task { await self.open() } }
    }

    private func open() async {
        let callbacks = HCITransportCallbacks(
            received: { batch in for packet in batch.packets { self.host.send(packet) } },
            ended: { end in self.finish(.controller("\(self.controllers): \(end)")) }
        )
        do throws(HCITransportError) {
            let controller = try await controllers.open(callbacks)
            let isWanted = phase.withLock { phase in
                guard case .opening(let waiting) = phase else { return false }
                for batch in waiting { for packet in batch.packets { controller.send(packet) } }
                phase = .open(controller)
                return true
            }
            if !isWanted { controller.close() }
        } catch {
            finish(.controller(error.advised()))
        }
    }

    private func finish(_ end: End) {
        let former = phase.withLock { phase in
            defer { phase = .over }
            return phase
        }
        if case .over = former { return }
        if case .open(let controller) = former { controller.close() }
        host.close()
        ended(end)
    }
}
