public import BluethroatBluetoothValues
internal import BluethroatHCI
public import BluethroatVirtualTime

/// Connection parameters.
extension Host {
    /// How peers' requests for other connection parameters are answered; at first as `HostConfiguration` says.
    public var parameterRequestPolicy: ParameterRequestPolicy {
        get { core.parameterRequestPolicy }
        set { change { core in core.parameterRequestPolicy = newValue } }
    }

    /// Asks for other connection parameters: a central has its controller change them; a peripheral asks the central,
    /// with the Link Layer's procedure where both controllers have it and else over L2CAP (Core 6.0, Vol 3, Part A,
    /// 4.20). Ends with `parameterUpdateCompleted`; one request at a time per connection.
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
