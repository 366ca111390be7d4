public import BluethroatBluetoothValues
internal import BluethroatHCI
public import BluethroatVirtualTime

/// The PHYs of connections. Core 6.0, Vol 4, Part E, 7.8.47 to 7.8.49.
extension Host {
    /// Asks for other PHYs in the two directions; an empty set leaves a direction to the controllers. Ends with `phys`,
    /// also where the peer would not and all stays as it is.
    public func setPHYs(
        _ connection: ConnectionID,
        sending: PHYSet,
        receiving: PHYSet,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.setPHYs(connection, sending: sending, receiving: receiving, at: now, into: &actions)
        }
    }

    /// Asks the controller which PHYs a connection uses. Ends with `phys`.
    public func readPHYs(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.readPHYs(connection, at: now, into: &actions)
        }
    }

    /// Asks for LE 2M in both directions if both ends have it, as `HostConfiguration.asksForLE2M` does on each new
    /// connection. A peer without LE 2M is never asked. `phys` comes if anything does.
    public func askForLE2M(
        _ connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.askForLE2M(connection, at: now, into: &actions)
        }
    }
}
