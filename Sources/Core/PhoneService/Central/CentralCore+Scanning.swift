import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// Scans: one of the host serves those of all apps, and finds peers that are to be connected to.
extension CentralCore {
    /// Something was heard.
    mutating func heard(_ report: AdvertisingReport, _ turn: inout ServiceTurn) {
        let peer = peer(at: report.identity ?? report.address, &turn)
        let isLate = report.kind == .scanResponse && peers[peer].unanswered > 1
        let isComplete = peers[peer].absorb(report, at: turn.now)
        // Where an advertisement and its response are one report: of one that waits, and of one that has been told without it.
        let isPart = settings.joinsScanResponses && (isLate || report.isScannable && peers[peer].unanswered < 2)
        for client in clients.indices {
            noteHidden(peer, from: client, turn)
            guard let scan = scan(of: client, turn.clients.apps) else { continue }
            let isRepeated = clients[client].met[peer].isFound
            let isNew = !isRepeated || hasOtherOverflow(peer, than: client, turn.clients.apps)
            guard scan.allowsDuplicates ? !isPart : isComplete && isNew else { continue }
            guard let sighting = sighting(of: peer, by: client, scan, &turn) else { continue }
            if !sighting.overflowServices.isEmpty {
                clients[client].met[peer].overflow = peers[peer].heard.overflow
            }
            turn.emit(.discovered(sighting), to: clients[client].id)
            if !isRepeated { discovered(peer, by: client, &turn) }
        }
        guard attempt == nil, report.isConnectable else { return }
        let wanted = wantedPeers(at: turn.now)
        guard wanted.count > 1, wanted.contains(peer) else { return }
        beginAttempt(peer, isOpenEnded: false, &turn)
    }

    /// Whether a peer has changed its overflow area since it was reported to an app that wants duplicates, though it may
    /// not have them at the moment: they are spared what it knows already.
    private func hasOtherOverflow(_ peer: PeerIndex, than client: ClientIndex, _ apps: AppLifecycle) -> Bool {
        guard clients[client].scan?.allowsDuplicates == true,
            apps.overflowObstacle(for: clients[client].app) == nil,
            let area = peers[peer].heard.overflow
        else { return false }
        return area != clients[client].met[peer].overflow
    }

    /// The other managers of the app may ask for the peer from now on.
    private mutating func discovered(_ peer: PeerIndex, by client: ClientIndex, _ turn: inout ServiceTurn) {
        clients[client].met[peer].isFound = true
        let app = clients[client].app
        for other in clients.indices where other != client && clients[other].app == app {
            emitKnown(peer, to: other, &turn)
        }
    }

    /// What an app is shown of a peer; nil if the app does not look for it.
    private mutating func sighting(
        of peer: PeerIndex,
        by client: ClientIndex,
        _ scan: ScanRequest,
        _ turn: inout ServiceTurn
    ) -> Sighting? {
        // An empty list is taken for none.
        let services = scan.services ?? []
        var overflowServices = OverflowServices()
        if let area = peers[peer].heard.overflow,
            turn.clients.apps.overflowObstacle(for: clients[client].app) == nil
        {
            overflowServices = clients[client].sought.found(in: area)
        }
        guard
            services.isEmpty || !overflowServices.isEmpty
                || services.contains(where: peers[peer].heard.serviceUUIDs.contains)
                || scan.solicitedServices.contains(where: peers[peer].heard.solicitedUUIDs.contains)
        else { return nil }
        return Sighting(
            peer: name(of: peer, for: client, &turn),
            name: peers[peer].name,
            advertisement: peers[peer].heard.shown,
            overflowServices: overflowServices,
            isConnectable: peers[peer].isConnectable,
            signalStrength: peers[peer].strength
        )
    }

    /// Scans if that is needed, and only then.
    mutating func updateScan(_ turn: inout ServiceTurn) {
        let needed = neededScan(turn)
        guard needed != hostScan, retry == nil else { return }
        do {
            if hostScan != nil {
                hostScan = nil
                do { try turn.host.stopScanning(at: turn.now, into: &turn.actions) } catch .notActive {}
            }
            guard let needed else { return }
            var parameters = ScanParameters()
            if needed == .reduced { parameters.timing = settings.backgroundScanTiming ?? .background }
            try turn.host.startScanning(parameters, at: turn.now, into: &turn.actions)
            hostScan = needed
        } catch {
            // Something else is under way that the controller cannot do at the same time.
            retry = turn.now + .milliseconds(100)
        }
    }

    /// The host has ended its scan, or could not begin it.
    mutating func scanningEnded(_ end: ScanEnd, _ turn: borrowing ServiceTurn) {
        guard case .refused = end else { return }
        hostScan = nil
        retry = turn.now + .seconds(1)
    }

    private func neededScan(_ turn: borrowing ServiceTurn) -> ScanDuty? {
        let isCalling = wantedPeers(at: turn.now).count > 1
        var isNeeded = false
        var isOnScreen = false
        for client in clients.indices {
            let isWaiting = isCalling && clients[client].pending.contains { !$0.isConnected }
            guard isWaiting || scan(of: client, turn.clients.apps) != nil else { continue }
            isNeeded = true
            if turn.clients.apps.isInForeground(clients[client].app) { isOnScreen = true }
        }
        guard isNeeded else { return nil }
        // Ranging beacons is a scan of the system's own.
        return isOnScreen || turn.clients.apps.isRanging ? .full : .reduced
    }

    // MARK: In the background

    /// What is looked for on behalf of an app at the moment. In the background that is nothing without the background
    /// mode, and nothing without services; and each peer is reported once.
    private func scan(of client: ClientIndex, _ apps: AppLifecycle) -> ScanRequest? {
        guard var scan = clients[client].scan else { return nil }
        let app = apps.record(of: clients[client].app)
        guard app.state != .foreground else { return scan }
        guard app.isActive(.central), scan.services?.isEmpty == false else { return nil }
        scan.allowsDuplicates = false
        return scan
    }

    /// Why an app does not learn of services in the overflow area at the moment; nil if it would.
    func overflowObstacle(for app: AppID, _ apps: AppLifecycle) -> OverflowObstacle? {
        let scans = clients.indices.filter { clients[$0].app == app }.compactMap { scan(of: $0, apps) }
        guard !scans.isEmpty else { return .noScan }
        guard scans.contains(where: { $0.services?.isEmpty == false }) else { return .noServicesListed }
        return apps.overflowObstacle(for: app)
    }

    /// Has developers know of a scan that does not do in the background what it does in the foreground.
    func noteScan(of client: ClientIndex, _ turn: inout ServiceTurn) {
        guard let scan = clients[client].scan else { return }
        note(scan, of: client, &turn)
    }

    func note(_ scan: ScanRequest, of client: ClientIndex, _ turn: inout ServiceTurn) {
        let app = turn.clients.apps.record(of: clients[client].app)
        let id = clients[client].id
        guard app.state != .foreground else { return }
        if !app.isActive(.central) {
            turn.note(
                .ignoredBySystem,
                "your app scans in the background without the background mode \"bluetooth-central\": "
                    + "iOS stops the scan until the app is in the foreground",
                of: id
            )
        } else if scan.services?.isEmpty != false {
            turn.note(.ignoredBySystem, "your app scans in the background without services: iOS finds nothing", of: id)
        } else if scan.allowsDuplicates {
            turn.note(
                .ignoredBySystem,
                "your app asks for duplicates in the background: iOS reports each peripheral once",
                of: id
            )
        }
    }
}

extension ScanTiming {
    /// 30 ms out of every 300.
    fileprivate static let background = Self(intervalSteps: 480, windowSteps: 48) ?? .continuous
}
