import BluethroatHost
import BluethroatVirtualTime

/// What is kept for managers whose app the system has ended: they go on without a client, until the app is there again
/// and makes a manager of the same name.
extension ServiceMachines {
    /// Restoration is for apps that run in the background; the developers of others hear that it is not for them.
    func restorable(
        _ description: SessionDescription,
        _ id: SessionID,
        of app: AppID,
        _ turn: inout ServiceTurn
    ) -> SessionDescription {
        guard description.restoreIdentifier != nil,
            !turn.clients.apps.modes(of: app).contains(BackgroundModes(of: description.role))
        else { return description }
        guard settings.kind.hasBackgroundModes else {
            // It is not offered there, and nobody has done anything wrong.
            var description = description
            description.restoreIdentifier = nil
            return description
        }
        let (name, mode) =
            description.role == .central
            ? ("CBCentralManager", "bluetooth-central") : ("CBPeripheralManager", "bluetooth-peripheral")
        turn.note(
            .restorationNotAllowed,
            "State restoration of \(name) is only allowed for applications that have specified the \"\(mode)\" "
                + "background mode",
            of: id,
            app
        )
        var description = description
        description.restoreIdentifier = nil
        return description
    }

    /// An app is ended: keeps what one of its managers wanted. False if that is not wanted.
    mutating func keep(_ id: SessionID, of app: AppID, _ turn: inout ServiceTurn) -> Bool {
        guard turn.clients.radio == .poweredOn, turn.clients.sessions.isRestorable(id),
            turn.clients.apps.authorization(of: app) == .allowedAlways
        else { return false }
        // What an earlier launch did not fetch is kept as it was.
        guard turn.clients.sessions.hasClient(id), let role = turn.clients.sessions.owner(of: id)?.role else {
            return true
        }
        channels.close(of: id, &turn)
        turn.clients.sessions.detach(id)
        switch role {
        case .central: turn.clients.sessions.keep(.central(central.keep(id, &turn)), for: id)
        case .peripheral: turn.clients.sessions.keep(.peripheral(peripheral.keep(id, &turn)), for: id)
        }
        return true
    }

    /// A manager is made whose name something was kept for. It hears of that first, then of the radio, then of what has
    /// happened meanwhile. False if nothing was kept.
    mutating func restore(
        _ client: SessionID,
        _ description: SessionDescription,
        of app: AppID,
        _ turn: inout ServiceTurn
    ) -> Bool {
        guard let (id, kept, meanwhile) = turn.clients.sessions.resume(as: client, description, of: app) else {
            return false
        }
        switch kept {
        case .central(let restoration): central.restore(restoration, to: id, &turn)
        case .peripheral(let restoration):
            turn.emit(.updateWindow(settings.updateWindow), to: id)
            turn.emit(.restored(restoration), to: id)
        }
        turn.emitState(to: id)
        turn.clients.sessions.append(meanwhile: meanwhile, to: id)
        if !turn.clients.sessions.isKept(for: app) { turn.clients.apps.managersCameBack(of: app) }
        return true
    }

    /// Gives up what was kept for apps.
    mutating func discardKept(_ turn: inout ServiceTurn, of isMeant: (AppID) -> Bool) {
        for session in turn.clients.sessions.kept(where: isMeant) { end(session, &turn) }
    }
}
