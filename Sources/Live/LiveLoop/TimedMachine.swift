public import BluethroatVirtualTime

/// Something that lives on a time line of its own and can say when it next has something to do: a `World`, or one
/// host. It is not `Sendable`; the loop that runs it is its only owner.
public protocol TimedMachine: AnyObject, SendableMetatype {
    /// When the machine next does something by itself; nil if it only waits for orders.
    var nextEventInstant: Instant? { get }

    /// Lets everything happen that is due up to and including `instant`, which becomes the machine's present.
    func run(until instant: Instant)
}
