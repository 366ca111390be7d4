import ControlPanel
import HCITransports
import KeyFobConsole
import LiveLoop
import Simulation
import Stage
import Synchronization
import VirtualTime

/// A live scene from launch to end: its world, its HCI port or its controller, its panel, and what is written of it.
struct SceneSession<Owner: SceneOwner, News: Sendable> {
    let options: SceneOptions
    /// What the panel shows besides the usual views.
    var parts: [PanelPart<Owner>] = []
    /// Whether phones may be on the stage.
    var hasPhones = true

    typealias Voice = SceneVoice<News>

    /// Runs until somebody wants it to end, or it cannot go on; says why then, and how to end.
    ///
    /// - Parameters:
    ///   - teller: writes what happens.
    ///   - make: makes the owner of a scene, before there is a port or a controller.
    ///   - live: called when everybody is on the stage and nothing has been written but the teller's beginning: starts to
    ///     read standard input, for example.
    func run(
        _ teller: any SceneTeller<News>,
        make: (sending LiveScene, Voice) throws(CommandFailure) -> sending Owner,
        whenLive live: (LiveLoop<Owner>, Voice) -> Void = { _, _ in }
    ) async -> ExitStatus {
        do throws(CommandFailure) {
            try await perform(teller, make: make, whenLive: live)
            return .done
        } catch {
            if options.json { StandardOutput.write(KeyFobJSON.error(error.message, at: error.time)) }
            StandardError.write(error.message)
            return error.status
        }
    }

    private func perform(
        _ teller: any SceneTeller<News>,
        make: (sending LiveScene, Voice) throws(CommandFailure) -> sending Owner,
        whenLive begun: (LiveLoop<Owner>, Voice) -> Void
    ) async throws(CommandFailure) {
        let (happenings, happened) = AsyncStream.makeStream(of: Voice.Happening.self)
        let voice = Voice(happened)
        let live = LiveLoop(try make(try scene(voice), voice))
        if case .air(let place) = options.place, let address = place.address, !address.isLoopback {
            voice.warn(
                "warning: whoever reaches \(address) is let in to this air without a password; leave out "
                    + "--expose-hci to have it for this machine alone"
            )
        }
        let ends = try await attach(live, voice)
        let page = try await openPanel(live, voice)
        Signals.whenAsked { voice.end() }
        var failure: CommandFailure?
        do throws(CommandFailure) {
            try await write(happenings, with: teller, ends.radio, voice) { begun(live, voice) }
        } catch {
            failure = error
        }
        await page?.stop()
        await live.perform { $0.finish() }
        await ends.server?.close()
        ends.transport?.close()
        if let failure { throw failure }
    }

    private func scene(_ voice: Voice) throws(CommandFailure) -> sending LiveScene {
        var captures: Captures?
        if options.capture != nil || options.btsnoop != nil {
            do throws(CaptureError) {
                captures = try Captures(air: options.capture, log: options.btsnoop, epoch: Captures.epochNow) {
                    voice.fail("\($0)", at: .zero)
                }
            } catch {
                throw CommandFailure("\(error)")
            }
        }
        let isOnController = if case .controller = options.place { true } else { false }
        let scene = LiveScene(
            seed: options.seed ?? .random(in: .min ... .max),
            isOnController: isOnController,
            isVirtual: options.virtualTime,
            captures: captures
        )
        scene.stage.world.whenStalled = { voice.end(CommandFailure("\($0)", time: $0.instant)) }
        return scene
    }

    /// Writes what happens until somebody wants an end. Throws if something makes one.
    private func write(
        _ happenings: AsyncStream<Voice.Happening>,
        with teller: any SceneTeller<News>,
        _ radio: KeyFobOutput.Radio,
        _ voice: Voice,
        begun: () -> Void
    ) async throws(CommandFailure) {
        var teller = teller
        teller.begin(radio, voice)
        defer { teller.end() }
        begun()
        for await happening in happenings {
            switch happening {
            case .news(let news): try teller.tell(news)
            case .failed(let message, let now): teller.fail(message, at: now)
            case .warned(let message): teller.warn(message)
            case .panelServed(let url, let token): teller.panel(url, token: token)
            case .misbehaved(let message): teller.misbehaved(message)
            case .ended(let failure):
                if let failure { throw failure }
                return
            }
        }
    }

    // MARK: Ends

    /// What a session has to close, and how its radio is called.
    private struct Ends {
        var server: HCIServer?
        var transport: (any HCITransport)?
        var radio: KeyFobOutput.Radio
    }

    /// Opens the port, or the controller, and has everybody come.
    private func attach(_ live: LiveLoop<Owner>, _ voice: Voice) async throws(CommandFailure) -> Ends {
        do throws(HCITransportError) {
            switch options.place {
            case .air(let place):
                let server = try await serve(live, at: place, voice)
                await live.perform { $0.begin() }
                return Ends(server: server, radio: .air(listeningOn: "\(server.place)"))
            case .controller(let endpoint):
                let transport = try await connect(live, to: endpoint, voice)
                await live.perform { owner in
                    owner.scene.toController = { transport.send($0) }
                    owner.begin()
                }
                return Ends(transport: transport, radio: .controller("\(endpoint)"))
            }
        } catch {
            throw CommandFailure(error, opener: options.opener)
        }
    }

    /// Opens the port at which hosts find controllers.
    private func serve(
        _ live: LiveLoop<Owner>,
        at place: HCIListeningPlace,
        _ voice: Voice
    ) async throws(HCITransportError) -> HCIServer {
        let clients = Counter()
        return try await HCIServer.listen(at: place) { transport in
            let client = clients.next()
            return HCITransportCallbacks(
                received: { batch in live.post { $0.receive(batch.packets, from: client) { transport.send($0) } } },
                ended: { end in
                    live.post { $0.detach(client) }
                    if end.isMisbehaviour { voice.say(.misbehaved("\(transport.peer): \(end)")) }
                }
            )
        }
    }

    /// Opens the controller that the first device runs on.
    private func connect(
        _ live: LiveLoop<Owner>,
        to endpoint: HCIEndpoint,
        _ voice: Voice
    ) async throws(HCITransportError) -> any HCITransport {
        try await endpoint.open(
            HCITransportCallbacks(
                received: { batch in live.post { $0.receiveFromController(batch.packets) } },
                ended: { end in
                    live.post { voice.end(CommandFailure("\(endpoint): \(end)", time: $0.present)) }
                }
            )
        )
    }

    /// Serves the control panel. That its usual port is taken is no reason to have no scene.
    private func openPanel(_ live: LiveLoop<Owner>, _ voice: Voice) async throws(CommandFailure) -> PanelServer? {
        guard let panel = options.panel.panel else { return nil }
        let token = try panel.token()
        let api = await PanelAPI(live, parts: parts, hasPhones: hasPhones)
        do throws(PanelServer.Failure) {
            let server = try await PanelServer.start(
                on: panel.address,
                token: token,
                endpoints: api.endpoints,
                hub: api.hub
            )
            voice.say(.panelServed(url: server.url, token: server.token))
            if !panel.address.isLoopback {
                voice.warn("warning: whoever has this address, token included, can use the panel: \(server.url)")
            }
            return server
        } catch {
            if panel.isExplicit { throw CommandFailure(error.description) }
            voice.warn("\(error); there is no panel now")
            return nil
        }
    }
}

/// Numbers that are given out once.
private final class Counter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
