import BluethroatHost

/// Which machine a command of a manager is for. The compiler refuses a command that is left out.
extension ServiceMachines {
    /// Carries out what a manager wants. What comes from a manager that is gone is too late.
    mutating func perform(_ command: SessionCommand, from client: SessionID, _ turn: inout ServiceTurn) {
        guard let session = turn.clients.sessions.session(of: client) else { return }
        switch command {
        case .noteMisuse(let kind, let sentence): turn.note(kind, sentence, of: session)
        case .central(.connect(let peer, _)) where settings.kind == .television && !turn.isInForeground(session):
            turn.note(
                .ignoredBySystem,
                "your app connects while it is not on the screen: tvOS makes no connections for it",
                of: session
            )
            turn.emit(.connectFailed(peer, .local(.operationCancelled)), to: session)
        case .central(let command):
            // The channels on a connection that the app leaves are closed before it.
            if let connection = central.connection(leftBy: command, from: session, turn) {
                channels.close(of: session, on: connection, &turn)
            }
            central.perform(command, from: session, &turn)
        case .peripheral(let command): perform(command, from: session, &turn)
        case .channel(let channel, let command): channels.perform(command, on: channel, of: session, &turn)
        }
    }

    private mutating func perform(_ command: PeripheralCommand, from session: SessionID, _ turn: inout ServiceTurn) {
        // Their managers have heard that they are unsupported.
        guard !settings.kind.isCentralOnly else { return }
        guard let app = turn.clients.sessions.app(of: session),
            turn.clients.apps.authorization(of: app) == .allowedAlways
        else { return }
        switch command {
        case .add(let service): peripheral.add(service, of: session, &turn)
        case .remove(let service): peripheral.remove(service, of: session, &turn)
        case .removeAllServices: peripheral.removeAllServices(of: session, &turn)
        case .startAdvertising(let request): peripheral.startAdvertising(request, of: session, &turn)
        case .stopAdvertising: peripheral.stopAdvertising(of: session, &turn)
        case .update(let characteristic, let value, let peers):
            peripheral.update(characteristic, value, to: peers, of: session, &turn)
        case .answer(let request, let answer): peripheral.answer(answer, to: request, of: session, &turn)
        case .setLatency(let latency, let peer): peripheral.setLatency(latency, for: peer, of: session, &turn)
        case .publishChannel(let requiresEncryption):
            channels.publish(requiresEncryption: requiresEncryption, of: session, &turn)
        case .unpublishChannel(let psm): channels.unpublish(psm, of: session, &turn)
        }
    }
}
