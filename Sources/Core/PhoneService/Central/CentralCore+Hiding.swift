import BluethroatBluetoothValues

/// Keeps what apps do not hear of, for those who look for the reason.
extension CentralCore {
    /// Notes by which rule an app does not hear of a peer, if it looks for it.
    mutating func noteHidden(_ peer: PeerIndex, from client: ClientIndex, _ turn: borrowing ServiceTurn) {
        // First what costs little: most of what is heard is hidden from no app.
        guard let scan = clients[client].scan, let rule = hidingRule(scan, of: client, turn.clients.apps) else {
            return
        }
        guard let area = peers[peer].heard.overflow,
            clients[client].sought.isEmpty || clients[client].sought.mayBe(in: area)
        else { return }
        // An app that sends services beside the mask is on its screen.
        let isExact = rule == .noRanging && peers[peer].heard.serviceUUIDs.isEmpty
        hidden.note(
            isExact ? .bothInBackground : rule,
            of: peers[peer].address,
            from: clients[client].app,
            at: turn.now
        )
    }

    private func hidingRule(_ scan: ScanRequest, of client: ClientIndex, _ apps: AppLifecycle) -> HiddenReport.Rule? {
        let app = apps.record(of: clients[client].app)
        let isOnScreen = app.state == .foreground
        if !isOnScreen, !app.isActive(.central) { return .noScan }
        if scan.services?.isEmpty != false { return .noServicesListed }
        if !apps.isScreenOn { return .darkScreen }
        return isOnScreen || app.rangesBeacons ? nil : .noRanging
    }
}
