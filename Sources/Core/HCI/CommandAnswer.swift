/// How a controller answers a command. Core 6.0, Vol 4, Part E, 4.4 and 4.5.
public enum CommandAnswer: Hashable, Sendable {
    /// With Command Complete once it is done; `returnCount` bytes of return parameters, status included, of which the
    /// first `echoed` after the status repeat the command's first (a connection handle, a page number).
    case commandComplete(returnCount: Int, echoed: Int)
    /// With Command Status at once; an event follows when it is done.
    case commandStatus
    /// Not at all, unless there is something to complain about; then with Command Complete.
    case nothing
}
