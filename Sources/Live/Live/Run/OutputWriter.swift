public import BluethroatEvents
public import BluethroatVirtualTime

/// Writes what happens in a session, for people or for programs.
public protocol OutputWriter<Event> {
    /// What a system has to report besides what all have.
    associatedtype Event: Sendable

    /// The session runs from now on, with its radio at this place; a port 0 is the one that was picked.
    mutating func begin(_ radio: RadioPlace, _ events: EventSink<Event>)

    /// Throws if the session cannot go on.
    mutating func write(_ event: Event) throws(OperationFailure)

    /// Something was not done, and why.
    mutating func fail(_ message: String, at now: Instant)

    /// A warning: the session goes on.
    mutating func warn(_ message: String)

    /// The control panel can be opened there.
    mutating func panel(_ url: String, token: String)

    /// A client of the HCI port did what ended its link.
    mutating func misbehaved(_ message: String)

    /// A hint for people at a terminal.
    mutating func hint(_ message: String)

    /// Nothing comes any more.
    mutating func end()
}
