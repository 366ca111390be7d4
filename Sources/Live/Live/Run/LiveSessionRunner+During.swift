public import BluethroatEvents
public import BluethroatHCITransports
public import BluethroatLiveLoop
import BluethroatVirtualTime

/// A session that is live: where its radio is, its devices, and what happens.
public struct OpenSession<System: LiveSystem, Event: Sendable>: Sendable {
    /// Where the radio of the first device is. A port 0 is the one that was picked.
    public let radio: RadioPlace
    /// Has the devices: `perform` asks one of them, `post` leaves an order.
    public let loop: LiveLoop<System>
    /// What happens, from the beginning on and in its order; it ends with the session. For one task.
    public let events: AsyncStream<Event>

    /// Where a host finds a controller on the air of the session; nil where the radio is a controller elsewhere.
    public var endpoint: HCIEndpoint? {
        if case .air(let place) = radio { place.endpoint } else { nil }
    }
}

extension LiveSessionRunner {
    /// Runs a session for as long as a piece of work takes, and ends it then, whether or not the work threw.
    ///
    /// - Parameters:
    ///   - make: makes the system of a session, before there is a port or a controller.
    ///   - warn: hears warnings and what was not done, one line each, from any thread.
    ///   - work: begins when all devices are there. Its task is cancelled if the session cannot go on, or if the caller's
    ///     task is cancelled; it goes on if the system ends the session by itself.
    /// - Returns: what the work returned.
    /// - Throws: an `OperationFailure` if the session could not begin or go on, or else what the work threw.
    public func run<Answer: Sendable>(
        make: (sending LiveSession, EventSink<Event>) throws(OperationFailure) -> sending System,
        warn: @escaping @Sendable (String) -> Void = { _ in },
        during work: @escaping @concurrent @Sendable (OpenSession<System, Event>) async throws -> Answer
    ) async throws -> Answer {
        if settings.isFast {
            throw OperationFailure("work beside a session wants one that lasts; leave out isFast", .wrongUsage)
        }
        let (events, happened) = AsyncStream.makeStream(of: Event.self)
        let writer = StreamWriter(to: happened, warn: warn)
        var task: Task<Answer, any Error>?
        var failure: OperationFailure?
        do throws(OperationFailure) {
            try await run(
                writer,
                make: make,
                whenLive: { loop, sink in
                    guard let radio = writer.radio else { return }
                    task = Task {
                        defer { sink.end() }
                        return try await work(OpenSession(radio: radio, loop: loop, events: events))
                    }
                }
            )
        } catch {
            failure = error
        }
        happened.finish()
        if failure != nil || Task.isCancelled { task?.cancel() }
        let result = await task?.result
        if let failure { throw failure }
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}

/// Passes events on to a stream.
private final class StreamWriter<Event: Sendable>: OutputWriter {
    private(set) var radio: RadioPlace?
    private let stream: AsyncStream<Event>.Continuation
    private let complain: @Sendable (String) -> Void

    init(to stream: AsyncStream<Event>.Continuation, warn: @escaping @Sendable (String) -> Void) {
        self.stream = stream
        complain = warn
    }

    func begin(_ radio: RadioPlace, _ events: EventSink<Event>) { self.radio = radio }
    func write(_ event: Event) { stream.yield(event) }
    func fail(_ message: String, at now: Instant) { complain(message) }
    func warn(_ message: String) { complain(message) }
    func panel(_ url: String, token: String) {}
    func misbehaved(_ message: String) { complain(message) }
    func hint(_ message: String) {}
    func end() {}
}
