package import BluethroatHCITransports
import Synchronization

/// The way of one host to its controller elsewhere: opens it, notices its end, and looks for it again.
package final class ControllerLink: Sendable {
    /// What happens to a link while it is kept.
    package enum Change: Sendable {
        /// The controller is gone, and is looked for.
        case lost(HCITransportEnd)
        /// It is there again.
        case found
    }

    private struct State {
        var transport: (any HCITransport)?
        var received: @Sendable (HCIBatch) -> Void = { _ in }
        var ends: AsyncStream<HCITransportEnd>?
        var isClosed = false
        var hasEnded = false
    }

    package let endpoint: HCIEndpoint
    private let state = Mutex(State())

    package init(_ endpoint: HCIEndpoint) { self.endpoint = endpoint }

    /// Whether it is open, as far as is known.
    package var isThere: Bool { state.withLock { $0.transport != nil && !$0.hasEnded } }

    /// Without a controller packets vanish.
    package func send(_ packet: [UInt8]) { state.withLock(\.transport)?.send(packet) }

    /// The controller is needed no longer.
    package func close() {
        let transport = state.withLock { state in
            state.isClosed = true
            defer { state.transport = nil }
            return state.transport
        }
        transport?.close()
    }

    /// Opens the link. `received` hears what the controller sends, on any thread, and keeps each batch until it is done
    /// with it: while too much is kept nothing is read. False if it was closed meanwhile.
    package func open(
        received: @escaping @Sendable (HCIBatch) -> Void
    ) async throws(HCITransportError) -> Bool {
        state.withLock { $0.received = received }
        return try await open()
    }

    private func open() async throws(HCITransportError) -> Bool {
        let received = state.withLock { state in
            state.hasEnded = false
            return state.received
        }
        let (ends, ended) = AsyncStream.makeStream(of: HCITransportEnd.self)
        let transport = try await endpoint.open(
            HCITransportCallbacks(
                received: received,
                ended: { [weak self] end in
                    self?.state.withLock { $0.hasEnded = true }
                    ended.yield(end)
                    ended.finish()
                }
            )
        )
        let isWanted = state.withLock { state in
            guard !state.isClosed else { return false }
            (state.transport, state.ends) = (transport, ends)
            return true
        }
        if !isWanted { transport.close() }
        return isWanted
    }

    /// Waits for the end of an open link. A controller that is lost is looked for again, each second for `patience`
    /// seconds; with a patience of 0 its end is the link's.
    package func keep(
        patience: Int = 0,
        changed: @Sendable (Change) -> Void = { _ in }
    ) async throws(HCITransportError) -> HCITransportEnd {
        while true {
            let end = await state.withLock(\.ends)?.first { _ in true } ?? .closedHere
            guard patience > 0, end != .closedHere, !state.withLock(\.isClosed) else { return end }
            changed(.lost(end))
            guard try await reopen(patience) else { return .closedHere }
            changed(.found)
        }
    }

    /// False if the controller is not needed any more.
    private func reopen(_ patience: Int) async throws(HCITransportError) -> Bool {
        var attempt = 1
        while true {
            try? await Task.sleep(for: .seconds(1))
            guard !state.withLock(\.isClosed) else { return false }
            do throws(HCITransportError) {
                return try await open()
            } catch {
                guard attempt < patience else { throw error }
                attempt += 1
            }
        }
    }
}
