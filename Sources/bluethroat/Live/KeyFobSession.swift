import BluetoothCrypto
import BluetoothValues
import BondDatabase
import ControlPanel
import Foundation
import HCITransports
import Host
import KeyFob
import KeyFobConsole
import LiveLoop
import Simulation
import Synchronization
import VirtualTime

/// A live key fob from launch to end: its world, its HCI port or its controller, its words and its output.
struct KeyFobSession {
    /// Where the fob's radio is.
    enum Radio {
        case air(distance: Double, listeningOn: HostPort)
        case controller(HCIEndpoint)
    }

    var seed: UInt64
    var fob: FobChoice
    var radio: Radio
    var isJSON: Bool
    var capture: String?
    var btsnoop: String?
    /// The control panel; nil for none.
    var panel: PanelWish?
    /// Whether time passes only when the panel says so.
    var isVirtual = false
    var bonds: BondOptions
    /// Whether the fob goes by bonds from earlier runs, and keeps them for later ones. A world that is to be the same for
    /// the same seed does not.
    var keepsBonds = true

    /// Runs until somebody wants it to end, or it cannot go on; says why then, and how to end.
    func run() async -> ExitStatus {
        do throws(CommandFailure) {
            try await live()
            return .done
        } catch {
            if isJSON { StandardOutput.write(KeyFobJSON.error(error.message, at: error.time)) }
            StandardError.write(error.message)
            return error.status
        }
    }

    private func live() async throws(CommandFailure) {
        let (happenings, happened) = AsyncStream.makeStream(of: KeyFobHappening.self)
        let memory = try remember { happened.yield(.warned($0)) }
        let live = try makeWorld(memory, happened)
        if case .air(_, let address) = radio, !address.isLoopback {
            happened.yield(
                .warned(
                    "warning: whoever reaches \(address) is let in to this air without a password; leave out "
                        + "--expose-hci to have it for this machine alone"
                )
            )
        }
        let ends = try await attach(live, happened)
        let page = try await openPanel(live, happened)
        Signals.whenAsked { happened.yield(.askedToEnd) }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            try await converse(live, ends, happenings, happened)
        } catch {
            failure = error
        }
        await page?.stop()
        await live.perform { $0.finish() }
        await ends.server?.close()
        ends.transport?.close()
        if let failure { throw failure }
    }

    /// Serves the control panel. That its usual port is taken is no reason to have no fob.
    private func openPanel(
        _ live: LiveLoop<KeyFobWorld>,
        _ happened: AsyncStream<KeyFobHappening>.Continuation
    ) async throws(CommandFailure) -> PanelServer? {
        guard let panel else { return nil }
        let api = await PanelAPI(live)
        do throws(PanelServer.Failure) {
            let server = try await PanelServer.start(
                on: panel.address,
                token: panel.token,
                endpoints: api.endpoints,
                hub: api.hub
            )
            happened.yield(.panelServed(server.url))
            if !panel.address.isLoopback {
                happened.yield(
                    .warned("warning: whoever has this address, token included, can use the panel: \(server.url)")
                )
            }
            return server
        } catch {
            if panel.isExplicit { throw CommandFailure(error.description) }
            happened.yield(.warned("\(error); there is no panel now"))
            return nil
        }
    }

    /// Opens the port, or the controller, and powers the fob up.
    private func attach(
        _ live: LiveLoop<KeyFobWorld>,
        _ happened: AsyncStream<KeyFobHappening>.Continuation
    ) async throws(CommandFailure) -> KeyFobEnds {
        do throws(HCITransportError) {
            switch radio {
            case .air(let distance, let address):
                let server = try await serve(live, on: address, happened)
                await live.perform { $0.start() }
                return KeyFobEnds(
                    server: server,
                    radio: .air(listeningOn: "tcp:\(server.address)"),
                    distance: distance
                )
            case .controller(let endpoint):
                let transport = try await connect(live, to: endpoint, happened)
                await live.perform { $0.start { transport.send($0) } }
                return KeyFobEnds(transport: transport, radio: .controller("\(endpoint)"))
            }
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Opens the bonds, and finds out who the fob is to those it is bonded with. Without a file it is somebody new each
    /// time.
    private func remember(warn: (String) -> Void) throws(CommandFailure) -> BondDatabase? {
        guard keepsBonds else { return nil }
        return try bonds.optional(creating: true, without: "bonds are kept until this command ends", warn: warn)
    }

    private func makeWorld(
        _ memory: BondDatabase?,
        _ happened: AsyncStream<KeyFobHappening>.Continuation
    ) throws(CommandFailure) -> LiveLoop<KeyFobWorld> {
        var captures: Captures?
        if capture != nil || btsnoop != nil {
            do throws(CaptureError) {
                captures = try Captures(air: capture, log: btsnoop, epoch: Captures.epochNow) { failure in
                    happened.yield(.failed("\(failure)", at: .zero))
                }
            } catch {
                throw CommandFailure("\(error)")
            }
        }
        let place: KeyFobWorld.Radio
        switch radio {
        case .air(let distance, _): place = .air(distance: distance)
        case .controller: place = .controller
        }
        var keeping = KeyFobWorld.Keeping(secret: .fromSystem())
        if let memory {
            keeping.bonds = memory
            do throws(BondDatabaseError) {
                keeping.identity = try memory.identity(named: fob.identityName, otherwise: LocalIdentity.fromSystem)
            } catch {
                if bonds.isExplicit { throw CommandFailure("\(error)") }
                happened.yield(.warned("\(error)"))
            }
        }
        return LiveLoop(
            KeyFobWorld(seed: seed, fob: fob, radio: place, keeping: keeping, captures: captures, isVirtual: isVirtual)
            {
                happened.yield($0)
            }
        )
    }

    /// Opens the port at which hosts find controllers.
    private func serve(
        _ live: LiveLoop<KeyFobWorld>,
        on address: HostPort,
        _ happened: AsyncStream<KeyFobHappening>.Continuation
    ) async throws(HCITransportError) -> HCIServer {
        let clients = Counter()
        return try await HCIServer.listen(on: address) { transport in
            let client = clients.next()
            live.post { $0.attach(client) { transport.send($0) } }
            return HCITransportCallbacks(
                received: { batch in live.post { $0.receive(batch.packets, from: client) } },
                ended: { end in
                    live.post { $0.detach(client) }
                    happened.yield(.clientLost(peer: transport.peer, end))
                }
            )
        }
    }

    /// Opens the controller that the fob runs on.
    private func connect(
        _ live: LiveLoop<KeyFobWorld>,
        to endpoint: HCIEndpoint,
        _ happened: AsyncStream<KeyFobHappening>.Continuation
    ) async throws(HCITransportError) -> any HCITransport {
        try await endpoint.open(
            HCITransportCallbacks(
                received: { batch in live.post { $0.receiveFromController(batch.packets) } },
                ended: { end in live.post { happened.yield(.controllerLost(end, at: $0.present)) } }
            )
        )
    }
}

/// What a session has to close, and how its radio is called.
struct KeyFobEnds {
    var server: HCIServer?
    var transport: (any HCITransport)?
    var radio: KeyFobOutput.Radio
    var distance: Double?
}

/// Numbers that are given out once.
private final class Counter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension KeyFobOutput.Radio {
    /// The place alone.
    var transport: String {
        switch self {
        case .air(let place), .controller(let place): place
        }
    }
}
