/// The timers of a connection. Those that run out at the same instant are served in this order.
enum LinkTimer: Comparable, Sendable {
    /// Nothing was heard for the supervision timeout. Core 6.0, Vol 6, Part B, 4.5.2.
    case supervision
    /// The peer does not answer in a procedure of ours. 5.2.
    case localProcedure
    /// The peer does not go on with a procedure of its own. 5.2.
    case remoteProcedure
    /// The peer is asked for an authenticated packet, or has sent none for too long. 5.4.
    case authenticatedPayload
    /// The next connection event begins.
    case event
}
