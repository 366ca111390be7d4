import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime

/// Commands: who carries them out, and how they are answered. `CommandHandler.all` says which there are.
extension ControllerCore {
    private static let allCommands = SupportedCommands(CommandHandler.all.map(\.declaration.opcode))

    var supportedCommands: SupportedCommands {
        configuration.claimedFeatures == ControllerConfiguration.allFeatures
            ? Self.allCommands
            : SupportedCommands(
                CommandHandler.all.map(\.declaration).filter { configuration.offers($0.feature) }.map(\.opcode)
            )
    }

    /// A command of the host: an HCI packet that begins with the indicator of commands.
    mutating func receiveCommand(_ packet: [UInt8], at now: Instant, into actions: inout ControllerActions) {
        // Without an opcode there is nothing that could be answered.
        guard packet.count >= 3 else { return }
        let opcode = Opcode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
        guard let place = CommandHandler.place(of: opcode),
            configuration.offers(CommandHandler.all[place].declaration.feature)
        else {
            return status(opcode, .unknownCommand, into: &actions)
        }
        do throws(DecodeError) {
            guard packet.count >= 4, packet.count == 4 + Int(packet[3]) else { throw .invalidLength(packet.count) }
            try CommandHandler.all[place].carryOut(&self, packet, now, &actions)
        } catch {
            refuse(opcode, .invalidCommandParameters, parameters: packet.dropFirst(4), into: &actions)
        }
    }

    // MARK: Answers

    mutating func complete(_ opcode: Opcode, _ status: ControllerError, into actions: inout ControllerActions) {
        // No mask hides it.
        actions.packets.append(CommandComplete.packet(opcode, status))
    }

    mutating func complete(
        _ opcode: Opcode,
        returning parameters: some ReturnParameters,
        into actions: inout ControllerActions
    ) {
        send(.commandComplete(CommandComplete(opcode: opcode, returning: parameters)), into: &actions)
    }

    mutating func status(_ opcode: Opcode, _ status: ControllerError, into actions: inout ControllerActions) {
        send(.commandStatus(CommandStatus(status: status, opcode: opcode)), into: &actions)
    }

    /// An error in the form that belongs to the command; `parameters` are the command's own, of which some are echoed.
    mutating func refuse(
        _ opcode: Opcode,
        _ error: ControllerError,
        parameters: some Collection<UInt8> = [],
        into actions: inout ControllerActions
    ) {
        switch opcode.answer {
        case .commandComplete:
            send(
                .commandComplete(CommandComplete(refusing: opcode, with: error, parameters: parameters)),
                into: &actions
            )
        case .commandStatus, .nothing, nil: status(opcode, error, into: &actions)
        }
    }
}

extension ControllerConfiguration {
    /// Whether this controller has the feature that a command needs; nil for a command that needs none.
    fileprivate func offers(_ feature: LEFeatures?) -> Bool { feature.map(claimedFeatures.contains) ?? true }
}
