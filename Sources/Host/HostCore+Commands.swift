internal import HCI
internal import VirtualTime

extension HostCore {
    @discardableResult
    mutating func sendCommand(
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
