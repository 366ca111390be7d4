public import BluethroatEvents
public import BluethroatVirtualTime

/// Takes what happens in a session, from any thread, to its writer.
public struct EventSink<Event: Sendable>: Sendable {
    package enum Item: Sendable {
        case event(Event)
        case failed(String, at: Instant)
        case warned(String)
        case panelServed(url: String, token: String)
        case misbehaved(String)
        case hint(String)
        /// All items of a piece of virtual time are before this one.
        case passed
        case ended(OperationFailure?)
    }

    private let items: AsyncStream<Item>.Continuation

    package init(_ items: AsyncStream<Item>.Continuation) { self.items = items }

    package func send(_ item: Item) { items.yield(item) }

    /// An event of the system.
    public func emit(_ event: Event) { send(.event(event)) }

    /// Something was not done, and why, in one line.
    public func fail(_ message: String, at now: Instant) { send(.failed(message, at: now)) }

    /// A warning, in one line.
    public func warn(_ message: String) { send(.warned(message)) }

    /// A hint for people at a terminal, in one line.
    public func hint(_ message: String) { send(.hint(message)) }

    /// The session ends, when what was emitted before is written.
    public func end(_ failure: OperationFailure? = nil) { send(.ended(failure)) }
}
