internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// What the controller answers to commands.
extension HostCore {
    mutating func handleCommandComplete(_ complete: CommandComplete, at now: Instant, into actions: inout HostActions) {
        pipeline.grant(complete.commandPacketCredits)
        guard let owner = pipeline.complete(opcode: complete.opcode.rawValue) else { return }
        if complete.returnParameters.isEmpty {
            actions.events.append(.malformedPacket(.returnParameters(opcode: complete.opcode.rawValue)))
        }
        deliver(complete.returnParameters, opcode: complete.opcode, to: owner, at: now, into: &actions)
    }

    mutating func handleCommandStatus(_ answer: CommandStatus, at now: Instant, into actions: inout HostActions) {
        pipeline.grant(answer.commandPacketCredits)
        let isSuccess = answer.status == .success
        guard let owner = pipeline.acknowledge(opcode: answer.opcode.rawValue, isSuccess: isSuccess) else { return }
        deliver([answer.status.rawValue], opcode: answer.opcode, to: owner, at: now, into: &actions)
    }

    /// The controller left a command unanswered that the host can do without.
    mutating func noAnswer(for owner: CommandOwner, opcode: Opcode, at now: Instant, into actions: inout HostActions) {
        if owner.isOptional { controller.findings.note(unanswered: opcode) }
        switch owner {
        case .application(let id): actions.events.append(.commandCompleted(id, returnParameters: []))
        case .connection(let id, let command):
            guard let slot = links.slot(of: id) else { return }
            switch command {
            case .order(let order):
                if order == .setPHYs { links[slot].control.phyChange = .none }
                guard order != .readRemoteFeatures else {
                    return featureOrderFailed(slot: slot, .unspecifiedError, at: now, into: &actions)
                }
                actions.events.append(.connectionOrderFailed(id, order, .unspecifiedError))
            case .readFeatures: featureReadingFailed(slot: slot, .unspecifiedError, at: now, into: &actions)
            case .setPHYs: links[slot].control.phyChange = .none
            case .update, .parameterReply, .encrypt, .keyReply: break
            }
        default: break
        }
    }

    /// Delivers the return parameters, status first, to the part of the host that sent the command.
    private mutating func deliver(
        _ bytes: [UInt8],
        opcode: Opcode,
        to owner: CommandOwner,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let status = ControllerError(rawValue: bytes.first ?? ControllerError.unspecifiedError.rawValue)
        switch owner {
        case .ignored: break
        case .startup: proceed(withAnswer: bytes, at: now, into: &actions)
        case .application(let id): actions.events.append(.commandCompleted(id, returnParameters: bytes))
        case .advertiser(let step):
            gap.advertiser.answer(step, status: status, at: now, commands: &pipeline, events: &actions.events)
        case .scanner(let step):
            gap.scanner.answer(step, status: status, at: now, commands: &pipeline, events: &actions.events)
        case .initiator(let step):
            gap.initiator.answer(step, status: status, commands: &pipeline, events: &actions.events)
        case .privacy(let step): privacyAnswer(step, status: status, at: now, into: &actions)
        case .filterAcceptList(let isLast):
            gap.filterAcceptList.answer(isLast: isLast, status: status, events: &actions.events)
        case .connection(let id, let command):
            guard let slot = links.slot(of: id) else { return }
            return deliver(bytes, status: status, opcode: opcode, to: command, slot: slot, at: now, into: &actions)
        }
    }

    private mutating func deliver(
        _ bytes: [UInt8],
        status: ControllerError,
        opcode: Opcode,
        to command: ConnectionCommand,
        slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let id = links[slot].id
        switch command {
        case .parameterReply: break
        case .readFeatures:
            if status != .success { featureReadingFailed(slot: slot, status, at: now, into: &actions) }
        case .setPHYs:
            if status != .success, links[slot].control.phyChange == .own { links[slot].control.phyChange = .none }
        case .order(.readPHYs) where status == .success: handlePHYs(bytes, of: id, into: &actions)
        case .encrypt, .keyReply:
            guard status == .success else { return encryptionRefused(slot, status, at: now, into: &actions) }
            links[slot].security.accepted()
        case .update:
            if status != .success { parameterUpdateFailed(slot: slot, status, at: now, into: &actions) }
        case .order(.readRSSI) where status == .success:
            var span = bytes.span.bytes
            guard let answer = try? ReadRSSIReturn(parsing: &span) else {
                actions.events.append(.malformedPacket(.returnParameters(opcode: opcode.rawValue)))
                actions.events.append(.connectionOrderFailed(id, .readRSSI, .unspecifiedError))
                return
            }
            actions.events.append(.signalStrength(id, answer.rssi))
        case .order(.disconnect) where status == .unknownConnectionIdentifier:
            // The controller does not know the connection: it is gone, however that came about.
            close(slot, reason: status, at: now, into: &actions)
        case .order(let order):
            guard status != .success else { return }
            if order == .disconnect { links[slot].control.isDisconnecting = false }
            if order == .setPHYs { links[slot].control.phyChange = .none }
            guard order != .readRemoteFeatures else {
                return featureOrderFailed(slot: slot, status, at: now, into: &actions)
            }
            actions.events.append(.connectionOrderFailed(id, order, status))
        }
    }
}
