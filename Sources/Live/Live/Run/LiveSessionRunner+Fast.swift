import BluethroatEvents
import BluethroatVirtualTime

extension LiveSessionRunner {
    /// Runs from the beginning to the end in virtual time, as fast as it can be computed. What happens is written piece
    /// by piece, and nothing is written of a radio.
    func runFast(
        _ writer: any OutputWriter<Event>,
        make: (sending LiveSession, EventSink<Event>) throws(OperationFailure) -> sending System,
        whenOpened opened: (EventSink<Event>) -> Void,
        while isWanted: () -> Bool
    ) async throws(OperationFailure) {
        if settings.length == nil {
            throw OperationFailure(
                "with --fast there has to be an end; say after how many seconds, with --for SECONDS",
                .wrongUsage
            )
        }
        if case .controller = settings.radio {
            throw OperationFailure("a controller lives in real time; leave out --fast", .wrongUsage)
        }
        let (items, continuation) = AsyncStream.makeStream(of: EventSink<Event>.Item.self)
        let events = EventSink<Event>(continuation)
        let system = try make(try session(events), events)
        opened(events)
        system.session.beginRecording()
        Self.begin(system, events, length: settings.length)
        events.send(.passed)
        var failure: OperationFailure?
        do throws(OperationFailure) {
            try await write(
                items,
                with: writer,
                whenPassed: {
                    guard isWanted() else { return events.end() }
                    system.advance(by: .seconds(1))
                    events.send(.passed)
                }
            )
        } catch {
            failure = error
        }
        system.finish()
        if let failure = failure ?? system.session.captureFailure { throw failure }
    }
}
