import BluethroatHost
import BluethroatVirtualTime

/// What happens to apps, as far as several machines have to do with it.
extension ServiceMachines {
    mutating func enterForeground(_ app: AppID, _ turn: inout ServiceTurn) {
        guard !turn.clients.apps.isInForeground(app) else { return }
        turn.clients.apps.enterForeground(app, isKept: turn.clients.sessions.isKept(for: app), at: turn.now)
        for session in turn.clients.sessions.all(of: app) { peripheral.enterForeground(session) }
        policyChanged(&turn)
        turn.clients.sessions.announceEvents()
    }

    mutating func enterBackground(_ app: AppID, _ turn: inout ServiceTurn) {
        let state = turn.clients.apps.state(of: app)
        guard state != .background, state != .suspended else { return }
        turn.clients.apps.enterBackground(app, isKept: turn.clients.sessions.isKept(for: app), at: turn.now)
        for session in turn.clients.sessions.all(of: app) {
            peripheral.enterBackground(session, &turn)
            central.enterBackground(session, &turn)
        }
        policyChanged(&turn)
        if settings.kind == .television { endConnections(of: app, &turn) }
    }

    mutating func suspend(_ app: AppID, _ turn: inout ServiceTurn) {
        enterBackground(app, &turn)
        if settings.kind == .watch { endConnections(of: app, &turn) }
        turn.clients.apps.suspend(app)
    }

    mutating func terminate(_ app: AppID, byPerson: Bool, _ turn: inout ServiceTurn) {
        turn.clients.apps.terminate(app, byPerson: byPerson)
        for session in turn.clients.sessions.all(of: app) {
            if byPerson || !keep(session, of: app, &turn) { end(session, &turn) }
        }
        // That its channels are closed is nothing to launch it for.
        turn.clients.apps.dropWakeUp(of: app)
        policyChanged(&turn)
    }

    mutating func rangeBeacons(_ app: AppID, _ isOn: Bool, _ turn: inout ServiceTurn) {
        turn.clients.apps.rangeBeacons(app, isOn, at: turn.now)
        policyChanged(&turn)
    }

    mutating func switchScreen(_ isOn: Bool, _ turn: inout ServiceTurn) {
        if turn.clients.apps.switchScreen(isOn) { policyChanged(&turn) }
    }

    /// The person has said what the app may do.
    mutating func authorize(_ app: AppID, _ authorization: Authorization, _ turn: inout ServiceTurn) {
        let before = turn.clients.apps.authorization(of: app)
        guard authorization != before else { return }
        let sessions = turn.clients.sessions.all(of: app)
        turn.clients.apps.authorize(app, authorization, hasManagers: !sessions.isEmpty)
        if authorization != .allowedAlways {
            for session in sessions {
                if turn.clients.sessions.hasClient(session) { drop(session, &turn) } else { end(session, &turn) }
            }
        }
        if settings.endsAppsOnAuthorizationChange, before != .notDetermined, turn.clients.apps.state(of: app).isRunning
        {
            return terminate(app, byPerson: false, &turn)
        }
        for session in turn.clients.sessions.all(of: app) { turn.emitState(to: session) }
    }

    /// Watches and televisions keep no connections for apps that do not run, or are not seen.
    private mutating func endConnections(of app: AppID, _ turn: inout ServiceTurn) {
        guard turn.clients.radio == .poweredOn else { return }
        for session in turn.clients.sessions.all(of: app) {
            channels.close(of: session, &turn)
            central.endConnections(of: session, &turn)
        }
    }

    /// What apps may do has changed.
    private mutating func policyChanged(_ turn: inout ServiceTurn) {
        guard turn.clients.radio == .poweredOn else { return }
        peripheral.policyChanged(&turn)
        central.policyChanged(&turn)
    }
}
