internal import HCI
public import VirtualTime

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
        guard phase == .up else { throw .notPoweredOn }
        guard parameters.count <= 255 else { throw .dataTooLong }
        lastCommand &+= 1
        let id = CommandID(number: lastCommand)
        let command = Command.unknown(Opcode(rawValue: opcode), parameters: parameters)
        pipeline.submit(command.packet(), for: .application(id))
        pipeline.flush(at: now, into: &actions.packets)
        return id
    }

    /// Throws unless the host is up and the controller offers all these commands.
    func require(_ opcodes: Opcode...) throws(OrderError) {
        guard phase == .up else { throw .notPoweredOn }
        for opcode in opcodes where !findings.offers(opcode) { throw .unsupported }
    }

    /// The slot of a connection that is still open.
    func slot(of connection: ConnectionID) throws(OrderError) -> Int {
        guard phase == .up else { throw .notPoweredOn }
        guard let slot = connections.slot(of: connection) else { throw .noSuchConnection }
        return slot
    }
}
