public import BluetoothValues
internal import HCI
public import VirtualTime

/// The pace of connections: own wishes, the peer's, and what comes of them.
extension Host {
    /// Asks for another pace: a central has its controller change it, a peripheral asks the central over L2CAP
    /// (Core 6.0, Vol 3, Part A, 4.20). Ends with `parameterUpdateCompleted`; one wish at a time per connection.
    public func updateParameters(
        _ connection: ConnectionID,
        _ range: ConnectionParameterRange,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.updateParameters(connection, range, at: now, into: &actions)
        }
    }
}
