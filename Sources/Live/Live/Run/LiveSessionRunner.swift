public import BluethroatControlPanel
public import BluethroatEvents
import BluethroatHCIServing
import BluethroatHCITransports
public import BluethroatLiveLoop
import BluethroatLiveWorld
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

/// A live session from launch to end: its world, its HCI port or its controller, its panel, and what is written of it.
public struct LiveSessionRunner<System: LiveSystem, Event: Sendable> {
    let settings: LiveSessionSettings
    private let parts: [PanelPart<System>]
    private let hasPhones: Bool

    /// - Parameters:
    ///   - parts: what the panel shows besides the usual views.
    ///   - hasPhones: whether there may be phones on the workbench.
    public init(_ settings: LiveSessionSettings, parts: [PanelPart<System>] = [], hasPhones: Bool = true) {
        self.settings = settings
        self.parts = parts
        self.hasPhones = hasPhones
    }

    /// Runs until it is asked to end, or until its time is over. Throws why it cannot go on.
    ///
    /// - Parameters:
    ///   - writer: writes what happens.
    ///   - make: makes the system of a session, before there is a port or a controller.
    ///   - opened: called when there are a port or a controller, and the panel: from then on the sink can end the session.
    ///   - live: called when all devices are there and nothing has been written but the writer's beginning: begins to
    ///     read words for the system, for example. Not where time passes as fast as it can.
    ///   - isWanted: asked now and then where time passes as fast as it can; with false the session ends.
    public func run(
        _ writer: any OutputWriter<Event>,
        make: (sending LiveSession, EventSink<Event>) throws(OperationFailure) -> sending System,
        whenOpened opened: (EventSink<Event>) -> Void = { _ in },
        whenLive live: (LiveLoop<System>, EventSink<Event>) -> Void = { _, _ in },
        while isWanted: () -> Bool = { true }
    ) async throws(OperationFailure) {
        if settings.isFast { return try await runFast(writer, make: make, whenOpened: opened, while: isWanted) }
        let (items, continuation) = AsyncStream.makeStream(of: EventSink<Event>.Item.self)
        let events = EventSink<Event>(continuation)
        let loop = LiveLoop(try make(try session(events), events))
        if case .air(let place) = settings.radio, let address = place.address, !address.isLoopback {
            events.warn(
                "warning: whoever reaches \(address) is let in to this air without a password; leave out "
                    + "--expose-hci to have it for this machine alone"
            )
        }
        if settings.isVirtual, settings.length != nil {
            events.hint("the panel's API lets time pass, up to the end of --for; with --fast it passes by itself")
        }
        let ends: Ends, page: PanelServer?
        do throws(OperationFailure) {
            ends = try await attach(loop, events)
            page = try await openPanel(loop, events)
        } catch {
            await loop.perform { $0.session.discardRecording() }
            throw error
        }
        await loop.perform { $0.session.beginRecording() }
        opened(events)
        var failure: OperationFailure?
        do throws(OperationFailure) {
            try await write(items, with: writer) { writer in
                writer.begin(ends.radio, events)
                live(loop, events)
            }
        } catch {
            failure = error
        }
        await page?.stop()
        await endConnections(of: loop, over: ends.link)
        let unwritten = await loop.perform { system in
            system.finish()
            return system.session.captureFailure
        }
        await ends.server?.close()
        ends.link?.close()
        if let failure = failure ?? unwritten { throw failure }
    }

    func session(_ events: EventSink<Event>) throws(OperationFailure) -> sending LiveSession {
        let captures: Captures?, isVirtual = settings.isVirtual || settings.isFast
        do throws(CaptureError) {
            captures = try settings.captures.open(epoch: isVirtual ? .unix : Captures.epochNow) {
                events.fail("\($0)", at: .zero)
            }
        } catch {
            throw OperationFailure("\(error)")
        }
        captures?.hold()
        let isOnController = if case .controller = settings.radio { true } else { false }
        let session = LiveSession(
            seed: settings.seed ?? .random(in: .min ... .max),
            isOnController: isOnController,
            isVirtual: isVirtual,
            captures: captures
        )
        session.workbench.world.whenStalled = { events.end(OperationFailure("\($0)", time: $0.instant)) }
        return session
    }

    /// The devices come, and the session ends when its time is over.
    static func begin(_ system: System, _ events: EventSink<Event>, length: TimeSpan?) {
        system.begin()
        guard let length else { return }
        system.world.schedule(at: system.present + length) { [weak system] _ in
            system?.close { failure in events.end(failure) }
        }
    }

    /// Writes what happens until the session is asked to end. Throws if an error ends it.
    func write(
        _ items: AsyncStream<EventSink<Event>.Item>,
        with writer: any OutputWriter<Event>,
        beginning begin: (inout any OutputWriter<Event>) -> Void = { _ in },
        whenPassed passed: () -> Void = {}
    ) async throws(OperationFailure) {
        var writer = writer
        begin(&writer)
        defer { writer.end() }
        for await item in items {
            switch item {
            case .event(let event): try writer.write(event)
            case .failed(let message, let now): writer.fail(message, at: now)
            case .warned(let message): writer.warn(message)
            case .panelServed(let url, let token): writer.panel(url, token: token)
            case .misbehaved(let message): writer.misbehaved(message)
            case .hint(let message): writer.hint(message)
            case .passed: passed()
            case .ended(let failure):
                if let failure { throw failure }
                return
            }
        }
    }

    // MARK: Ends

    /// Disconnects from all peers, for a second at most. One that is out of reach has its supervision timeout.
    private func endConnections(of loop: LiveLoop<System>, over link: ControllerLink?) async {
        for _ in 0..<100 where link?.isThere == true {
            if await loop.perform({ $0.session.endConnections() }) { return }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// What a session has to close, and where its radio is.
    private struct Ends {
        var server: HCIServer?
        var link: ControllerLink?
        var radio: RadioPlace
    }

    /// Opens the port, or the controller, and has the devices come.
    private func attach(
        _ loop: LiveLoop<System>,
        _ events: EventSink<Event>
    ) async throws(OperationFailure) -> Ends {
        let length = settings.length
        let clientsVanish = settings.clientsVanish
        do throws(HCITransportError) {
            switch settings.radio {
            case .air(let place):
                let turns = HostTurns<System>(
                    post: { loop.post($0) },
                    receive: { system, packets, client, transport in
                        system.receive(packets, from: client) { transport.send($0) }
                    },
                    detach: { $0.detach($1, silently: clientsVanish) }
                )
                let server = try await HCIServer.serve(at: place) {
                    turns.come($0, from: $1, $2)
                } ended: {
                    turns.end($0)
                } misbehaved: {
                    events.send(.misbehaved($0))
                }
                await loop.perform { system in
                    system.session.hciEndpoint = server.place.endpoint
                    Self.begin(system, events, length: length)
                }
                return Ends(server: server, radio: .air(listeningOn: server.place))
            case .controller(let endpoint):
                let link = ControllerLink(endpoint)
                _ = try await link.open { batch in loop.post { $0.receiveFromController(batch.packets) } }
                await loop.perform { system in
                    system.session.toController = { link.send($0) }
                    Self.begin(system, events, length: length)
                }
                watch(link, loop, events)
                return Ends(link: link, radio: settings.radio)
            }
        } catch {
            throw OperationFailure(error.advised(opener: settings.opener))
        }
    }

    /// The end of the controller is the session's.
    private func watch(_ link: ControllerLink, _ loop: LiveLoop<System>, _ events: EventSink<Event>) {
        Task {
            guard let end = try? await link.keep() else { return }
            loop.post { events.end(OperationFailure("\(link.endpoint): \(end)", time: $0.present)) }
        }
    }

    /// Serves the control panel. That its usual port is taken is no reason to have no session.
    private func openPanel(
        _ loop: LiveLoop<System>,
        _ events: EventSink<Event>
    ) async throws(OperationFailure) -> PanelServer? {
        guard let panel = settings.panel else { return nil }
        let token = try panel.token()
        let api = await PanelAPI(loop, parts: parts, hasPhones: hasPhones)
        do throws(PanelServer.Failure) {
            let server = try await PanelServer.start(
                on: panel.address,
                token: token,
                endpoints: api.endpoints,
                hub: api.hub
            )
            events.send(.panelServed(url: server.url, token: server.token))
            if !panel.address.isLoopback {
                events.warn(
                    "warning: whoever has this address, token included, can use the panel: \(server.urlFromElsewhere)"
                )
            }
            return server
        } catch {
            if panel.isExplicit { throw OperationFailure(error.description) }
            events.warn("\(error); there is no panel now")
            return nil
        }
    }
}
