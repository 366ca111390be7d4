import HCITransports
import Host
import Phones
import Simulation
import Synchronization

/// The way of one phone to its controller: opens it, notices its end, and looks for it again.
final class ControllerLink: Sendable {
    private struct State {
        var transport: (any HCITransport)?
        var isClosed = false
    }

    let endpoint: HCIEndpoint
    let complain: @Sendable (String) -> Void
    private let patience: Int
    private let state = Mutex(State())

    init(_ endpoint: HCIEndpoint, patience: Int, complain: @escaping @Sendable (String) -> Void) {
        self.endpoint = endpoint
        self.patience = patience
        self.complain = complain
    }

    /// Without a controller packets vanish.
    func send(_ packet: [UInt8]) { state.withLock(\.transport)?.send(packet) }

    /// The phone needs its controller no longer.
    func close() {
        let transport = state.withLock { state in
            state.isClosed = true
            defer { state.transport = nil }
            return state.transport
        }
        transport?.close()
    }

    func open(for device: DeviceID, on air: WeakAir) {
        Task { await self.keepOpen(for: device, on: air) }
    }

    private func keepOpen(for device: DeviceID, on air: WeakAir) async {
        do throws(HCITransportError) {
            let (transport, end) = try await connect(device, air)
            begin(transport, for: device, on: air, isFirst: true)
            var lost = await end()
            while case let reason = lost, reason != .closedHere, !state.withLock(\.isClosed) {
                complain("\(endpoint): \(reason); looking for the controller again for \(patience) s")
                air.post { $0.loseController(of: device) }
                guard let (transport, end) = try await reconnect(device, air) else { return }
                begin(transport, for: device, on: air, isFirst: false)
                lost = await end()
            }
        } catch {
            complain("there is no Bluetooth: \(error.advised())")
            air.post { $0.phones[device]?.losesBluetooth(in: $0.world) }
        }
    }

    private typealias Opened = (transport: any HCITransport, end: @Sendable () async -> HCITransportEnd)

    private func connect(_ device: DeviceID, _ air: WeakAir) async throws(HCITransportError) -> Opened {
        let (ends, ended) = AsyncStream.makeStream(of: HCITransportEnd.self)
        let transport = try await endpoint.open(
            HCITransportCallbacks(
                received: { batch in
                    air.post { machine in
                        for packet in batch.packets { machine.world.receive(hci: packet, for: device) }
                    }
                },
                ended: { end in
                    ended.yield(end)
                    ended.finish()
                }
            )
        )
        return (transport, { await ends.first { _ in true } ?? .closedHere })
    }

    /// Nil if the phone does not want its controller any more.
    private func reconnect(_ device: DeviceID, _ air: WeakAir) async throws(HCITransportError) -> Opened? {
        var attempt = 1
        while true {
            try? await Task.sleep(for: .seconds(1))
            guard !state.withLock(\.isClosed) else { return nil }
            do throws(HCITransportError) {
                return try await connect(device, air)
            } catch {
                guard attempt < patience else { throw error }
                attempt += 1
            }
        }
    }

    private func begin(_ transport: any HCITransport, for device: DeviceID, on air: WeakAir, isFirst: Bool) {
        let isWanted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.transport = transport
            return true
        }
        guard isWanted else { return transport.close() }
        air.post { $0.foundController(of: device, isFirst: isFirst) }
    }
}
