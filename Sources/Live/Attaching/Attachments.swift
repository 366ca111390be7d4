public import BluethroatEvents
import BluethroatHCIServing
public import BluethroatHCITransports
import BluethroatListening

/// Ways for hosts to controllers, besides the HCI port of an air: adapters of this machine's kernel, pseudo-terminals and
/// sockets. Each host gets a controller of its own on the air at an address.
public struct Attachments: Sendable {
    /// How many adapters the kernel gets.
    public var adapters: Int
    /// Where other hosts find controllers.
    public var places: [HCIListeningPlace]

    public init(adapters: Int = 0, places: [HCIListeningPlace] = []) {
        self.adapters = adapters
        self.places = places
    }

    /// What a user asks for.
    ///
    /// - Parameters:
    ///   - vhci: whether the kernel gets adapters.
    ///   - devices: how many, 1 to 16; one where it is not said.
    ///   - pty: where programs find serial lines.
    ///   - unix: where they find sockets.
    /// - Throws: what is missing or does not go together.
    public init(vhci: Bool, devices: Int?, pty: [String], unix: [String]) throws(InvalidText) {
        if !vhci, devices != nil { throw InvalidText("--devices says how many adapters --vhci makes; add --vhci") }
        guard (1...16).contains(devices ?? 1) else { throw InvalidText("--devices is from 1 to 16") }
        guard vhci || !pty.isEmpty || !unix.isEmpty else {
            throw InvalidText("say what to make: --vhci, --pty PATH or --unix PATH")
        }
        self.init(
            adapters: vhci ? devices ?? 1 : 0,
            places: pty.map { .pty(path: $0) } + unix.map { .unix(path: $0) }
        )
    }

    /// Makes them all, and has them until the caller's task is cancelled. When this returns or throws, adapters, terminals
    /// and sockets are gone.
    ///
    /// - Parameters:
    ///   - controllers: where each host's controller is opened.
    ///   - emit: hears what happens, on any thread.
    /// - Throws: why one of them cannot be made, or that an adapter has lost its controller.
    public func run(
        on controllers: HCIEndpoint,
        emit: @escaping @Sendable (AttachEvent) -> Void
    ) async throws(OperationFailure) {
        let most = (DescriptorLimit.current - ListeningLimits.reserve) / Self.descriptorsPerPlace
        guard places.count <= most else {
            throw OperationFailure(
                "this process may have \(DescriptorLimit.current) descriptors open, enough for \(max(most, 0)) places; name "
                    + "fewer with --pty and --unix, or raise the limit (ulimit -n)"
            )
        }
        let (losses, loss) = AsyncStream.makeStream(of: OperationFailure.self)
        var relays: [HostRelay] = []
        var servers: [HCIServer] = []
        var failure: OperationFailure?
        do throws(HCITransportError) {
            for _ in 0..<adapters { relays.append(try makeAdapter(on: controllers, emit) { loss.yield($0) }) }
            for place in places {
                let server = try await serve(place, on: controllers, emit)
                servers.append(server)
                emit(.offered(server.place))
            }
        } catch {
            failure = OperationFailure(error.description)
        }
        if failure == nil { failure = await losses.first { _ in true } }
        for server in servers { await server.close() }
        for relay in relays { await relay.close() }
        if let failure { throw failure }
    }

    /// Each host has two links, of which that to a controller may be within this process, and have two ends.
    private static let descriptorsPerPlace = 3 * ListeningLimits.least

    private func makeAdapter(
        on controllers: HCIEndpoint,
        _ emit: @Sendable (AttachEvent) -> Void,
        lost: @escaping @Sendable (OperationFailure) -> Void
    ) throws(HCITransportError) -> HostRelay {
        var relay: HostRelay?
        let adapter = try VirtualAdapter.make { adapter in
            let made = HostRelay(adapter.transport, to: controllers) { end in
                switch end {
                case .host(.closedHere): break
                case .host(let end): lost(OperationFailure("\(adapter.name): \(end)"))
                case .controller(let reason):
                    lost(OperationFailure("\(adapter.name) has lost its controller: \(reason)"))
                }
            }
            relay = made
            return made.callbacks
        }
        emit(.adapter(adapter.name))
        guard let relay else { preconditionFailure("an adapter is accepted before it is returned") }
        return relay
    }

    private func serve(
        _ place: HCIListeningPlace,
        on controllers: HCIEndpoint,
        _ emit: @escaping @Sendable (AttachEvent) -> Void
    ) async throws(HCITransportError) -> HCIServer {
        // Each host has two links, and all places share what the process may open.
        var limits = ListeningLimits()
        limits.connections = max(ListeningLimits.least, limits.connections / (2 * places.count))
        return try await HCIServer.admit(at: place, limits: limits) { number, transport in
            emit(.came(place, host: number))
            return HostRelay(transport, to: controllers) { end in
                switch end {
                case .host(.closedByPeer), .host(.closedHere): emit(.went(place, host: number, because: nil))
                case .host(let end): emit(.went(place, host: number, because: "\(end)"))
                case .controller(let reason): emit(.went(place, host: number, because: reason))
                }
            }.callbacks
        }
    }
}
