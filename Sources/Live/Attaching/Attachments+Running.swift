public import BluethroatEvents
public import BluethroatHCITransports
public import BluethroatLive
import BluethroatVirtualTime

extension Attachments {
    /// On which air the hosts are to be.
    public enum Air: Sendable {
        /// On that of a command that runs at the usual port, or else on one of its own.
        case runningOrOwn
        /// On one of its own, with an HCI port for others.
        case own
        /// On that at an address.
        case at(HCIEndpoint)
    }

    /// Runs them until the sink that `opened` gets is asked to end, or until the time of the settings is over. Throws why
    /// it cannot go on.
    ///
    /// - Parameters:
    ///   - air: where the controllers are; in `settings` is what an air of its own is like.
    ///   - writer: writes what happens.
    ///   - opened: called when it can be asked to end.
    public func run(
        on air: Air,
        _ settings: LiveSessionSettings,
        _ writer: any OutputWriter<AttachEvent>,
        whenOpened opened: (EventSink<AttachEvent>) -> Void
    ) async throws(OperationFailure) {
        switch air {
        case .own: try await runOnOwnAir(settings, writer, opened)
        case .at(let endpoint): try await join(endpoint, settings, writer, opened)
        case .runningOrOwn:
            switch try await occupant(of: .standard) {
            case .controller: try await join(.standard, settings, writer, opened)
            case .nobody: try await runOnOwnAir(settings, writer, opened)
            case .stranger:
                throw OperationFailure(
                    "the program at \(HCIEndpoint.standard) offers no controllers; end it, say with --controller where "
                        + "an air is, or with --hci-listen HOST:PORT where one of its own is to have its port"
                )
            }
        }
    }

    private func join(
        _ endpoint: HCIEndpoint,
        _ settings: LiveSessionSettings,
        _ writer: any OutputWriter<AttachEvent>,
        _ opened: (EventSink<AttachEvent>) -> Void
    ) async throws(OperationFailure) {
        if case .nobody = try await occupant(of: endpoint) {
            throw OperationFailure(
                "nothing listens on \(endpoint); start `\(settings.opener)`, or leave out --controller"
            )
        }
        let (items, continuation) = AsyncStream.makeStream(of: EventSink<AttachEvent>.Item.self)
        let events = EventSink<AttachEvent>(continuation)
        var writer = writer
        writer.begin(.controller(endpoint), events)
        defer { writer.end() }
        opened(events)
        let work = Task { await run(on: endpoint, events) }
        let timer = settings.length.map { length in
            Task {
                try await Task.sleep(for: .nanoseconds(length.nanoseconds))
                events.end()
            }
        }
        var failure: OperationFailure?
        loop: for await item in items {
            switch item {
            case .event(let event):
                do throws(OperationFailure) { try writer.write(event) } catch {
                    failure = error
                    break loop
                }
            case .ended(let reason):
                failure = reason
                break loop
            case .failed, .warned, .panelServed, .misbehaved, .hint, .passed: break
            }
        }
        timer?.cancel()
        work.cancel()
        await work.value
        if let failure { throw failure }
    }

    /// Who is there; throws why there is no way to it, as where it is another user's.
    private func occupant(of endpoint: HCIEndpoint) async throws(OperationFailure) -> HCIOccupant {
        do throws(HCITransportError) {
            return try await endpoint.checkedOccupant()
        } catch {
            throw OperationFailure(error.description)
        }
    }

    private func runOnOwnAir(
        _ settings: LiveSessionSettings,
        _ writer: any OutputWriter<AttachEvent>,
        _ opened: (EventSink<AttachEvent>) -> Void
    ) async throws(OperationFailure) {
        let (places, found) = AsyncStream.makeStream(of: HCIEndpoint.self)
        var work: Task<Void, Never>?
        var failure: OperationFailure?
        do throws(OperationFailure) {
            try await LiveSessionRunner<AirWorld, AttachEvent>(settings).run(
                writer,
                make: { session, _ in AirWorld(session) { found.yield($0) } },
                whenOpened: opened,
                whenLive: { _, events in
                    work = Task {
                        guard let endpoint = await places.first(where: { _ in true }) else { return }
                        await run(on: endpoint, events)
                    }
                }
            )
        } catch {
            failure = error
        }
        work?.cancel()
        await work?.value
        if let failure { throw failure }
    }

    /// Has them until the task is cancelled; what ends them otherwise ends all.
    private func run(on endpoint: HCIEndpoint, _ events: EventSink<AttachEvent>) async {
        do throws(OperationFailure) {
            try await run(on: endpoint) { events.emit($0) }
        } catch {
            events.end(error)
        }
    }
}
