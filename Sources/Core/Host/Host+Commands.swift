internal import BluethroatHCI
public import BluethroatVirtualTime

extension Host {
    /// Sends the controller a command that the host has no order for, such as a maker's own. Ends with
    /// `commandCompleted`. What it does to the state of the controller is the caller's business.
    @discardableResult
    public func sendCommand(
        opcode: UInt16,
        parameters: [UInt8],
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> CommandID {
        try enter(at: now, into: &actions) { core, actions throws(OrderError) in
            try core.sendCommand(opcode: opcode, parameters: parameters, at: now, into: &actions)
        }
    }
}
