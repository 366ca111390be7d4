internal import BluethroatHCI
internal import BluethroatVirtualTime

extension HostCore {
    @discardableResult
    mutating func sendCommand(
        opcode: UInt16,
        parameters: [UInt8],
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> CommandID {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard parameters.count <= 255 else { throw .dataTooLong }
        gap.advertiser.forgetWhatIsKept()
        let id = pipeline.nextID()
        let command = Command.unknown(Opcode(rawValue: opcode), parameters: parameters)
        pipeline.submit(command.packet(), for: .application(id))
        return id
    }

    /// Throws unless the host is up and the controller offers all these commands. Why it is `mutating`: see `nextDeadline`.
    mutating func require(_ opcodes: Opcode...) throws(OrderError) {
        guard controller.phase == .up else { throw .notPoweredOn }
        let findings = controller.findings
        for opcode in opcodes where !findings.offers(opcode) { throw .unsupported }
    }

    /// The slot of a connection that is still open.
    func slot(of connection: ConnectionID) throws(OrderError) -> Int {
        guard controller.phase == .up else { throw .notPoweredOn }
        guard let slot = links.slot(of: connection) else { throw .noSuchConnection }
        return slot
    }
}
