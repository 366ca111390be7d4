import BluetoothValues
import Host
import VirtualTime

/// Scans: one of the host serves those of all apps, and finds peers that are to be connected to.
extension BluetoothService {
    /// Something was heard.
    func heard(_ report: AdvertisingReport, host: Host, at now: Instant, into actions: inout HostActions) {
        let peer = central.peers.take(report.identity ?? report.address)
        let isComplete = central.peers[peer].absorb(report)
        for client in central.clients.indices {
            noteHidden(peer, from: client, at: now)
            guard let scan = scan(of: client) else { continue }
            let isRepeated = central.clients[client].found.contains(peer)
            let isNew = !isRepeated || hasOtherOverflow(peer, than: client)
            guard scan.allowsDuplicates || isComplete && isNew else { continue }
            guard let sighting = sighting(of: peer, by: client, scan) else { continue }
            tell(.central(.discovered(sighting)), to: central.clients[client].id)
            if !sighting.overflowServices.isEmpty {
                central.clients[client].overflow[peer] = OverflowArea(in: central.peers[peer].advertisingData)
            }
            if !isRepeated { discovered(peer, by: client) }
        }
        guard central.call == nil, report.isConnectable else { return }
        let wanted = central.wanted(at: now)
        guard wanted.count > 1, wanted.contains(peer) else { return }
        call(peer, isPatient: false, host: host, at: now, into: &actions)
    }

    /// Whether a peer has changed its overflow area since it was reported to an app that wants duplicates, though it may
    /// not have them at the moment: they are spared what it knows already.
    private func hasOtherOverflow(_ peer: Int, than client: Int) -> Bool {
        guard central.clients[client].scan?.allowsDuplicates == true, looksIntoOverflowArea(client),
            let area = OverflowArea(in: central.peers[peer].advertisingData)
        else { return false }
        return area != central.clients[client].overflow[peer]
    }

    /// The other managers of the app may ask for the peer from now on.
    private func discovered(_ peer: Int, by client: Int) {
        central.clients[client].found.insert(peer)
        let app = central.clients[client].app
        for other in central.clients.indices where other != client && central.clients[other].app == app {
            tellKnown(peer, to: other)
        }
    }

    /// What an app is shown of a peer; nil if the app does not look for it.
    private func sighting(of peer: Int, by client: Int, _ scan: ScanRequest) -> Sighting? {
        var advertisement = central.peers[peer].advertisingData
        // An empty list is taken for none.
        let services = scan.services ?? []
        var overflowServices: [BluetoothUUID] = []
        if let area = OverflowArea(in: advertisement) {
            // The system keeps the mask to itself.
            advertisement.structures.removeAll(where: OverflowArea.isCarried)
            if looksIntoOverflowArea(client) {
                for (service, bit) in zip(services, central.clients[client].overflowBits) where area.contains(bit: bit)
                {
                    overflowServices.append(service)
                }
            }
        }
        guard
            services.isEmpty || !overflowServices.isEmpty
                || services.contains(where: advertisement.serviceUUIDs.contains)
                || scan.solicitedServices.contains(where: advertisement.solicitedUUIDs.contains)
        else { return nil }
        return Sighting(
            peer: name(of: peer, for: client),
            name: central.peers[peer].name,
            advertisement: advertisement,
            overflowServices: overflowServices,
            isConnectable: central.peers[peer].isConnectable,
            signalStrength: central.peers[peer].strength
        )
    }

    /// Scans if somebody needs it, and only then.
    func updateScan(host: Host, at now: Instant, into actions: inout HostActions) {
        let wanted = neededPace(at: now)
        guard wanted != central.pace, central.retry == nil else { return }
        do {
            if central.pace != nil {
                central.pace = nil
                do { try host.stopScanning(at: now, into: &actions) } catch .notActive {}
            }
            guard let wanted else { return }
            var parameters = ScanParameters()
            if wanted == .reduced { parameters.timing = settings.backgroundScanTiming ?? .background }
            try host.startScanning(parameters, at: now, into: &actions)
            central.pace = wanted
        } catch {
            // Something else is under way that the controller cannot do at the same time.
            central.retry = now + .milliseconds(100)
        }
    }

    private func neededPace(at now: Instant) -> ScanPace? {
        let scanners = central.clients.indices.filter { scan(of: $0) != nil }
        var sessions = scanners.map { central.clients[$0].id }
        if central.wanted(at: now).count > 1 {
            sessions += central.clients.filter { $0.wishes.contains { !$0.isConnected } }.map(\.id)
        }
        guard !sessions.isEmpty else { return nil }
        // Ranging beacons is a scan of the system's own.
        let ranges = isScreenOn && apps.contains { $0.rangesBeacons }
        return ranges || sessions.contains(where: isInForeground) ? .full : .reduced
    }

    // MARK: In the background

    /// What is looked for on behalf of an app at the moment. In the background that is nothing without the background
    /// mode, and nothing without services; and each peer is reported once.
    private func scan(of client: Int) -> ScanRequest? {
        guard var scan = central.clients[client].scan else { return nil }
        let id = central.clients[client].id
        guard !isInForeground(id) else { return scan }
        guard goesOn(id), scan.services?.isEmpty == false else { return nil }
        scan.allowsDuplicates = false
        return scan
    }

    /// Whether an app learns of services from the overflow area: only while the screen is lit, and off the screen only
    /// while it ranges beacons.
    private func looksIntoOverflowArea(_ client: Int) -> Bool {
        overflowCondition(for: central.clients[client].app) == nil
    }

    private func overflowCondition(for id: AppID) -> OverflowObstacle? {
        guard isScreenOn else { return .darkScreen }
        let app = record(of: id)
        return app.state == .foreground || app.rangesBeacons ? nil : .noRanging
    }

    /// Why an app does not learn of services in the overflow area at the moment; nil if it would.
    public func overflowObstacle(for app: AppID) -> OverflowObstacle? {
        guard radio == .poweredOn else { return .poweredOff }
        let scans = central.clients.indices.filter { central.clients[$0].app == app }.compactMap { scan(of: $0) }
        guard !scans.isEmpty else { return .noScan }
        guard scans.contains(where: { $0.services?.isEmpty == false }) else { return .noServicesListed }
        return overflowCondition(for: app)
    }

    /// Tells developers of a scan that does not do in the background what it does in the foreground.
    func note(_ scan: ScanRequest, of id: SessionID, at now: Instant) {
        guard !isInForeground(id) else { return }
        if !goesOn(id) {
            note(
                "your app scans in the background without the background mode \"bluetooth-central\": "
                    + "iOS stops the scan until the app is in the foreground",
                of: id,
                at: now
            )
        } else if scan.services?.isEmpty != false {
            note("your app scans in the background without services: iOS finds nothing", of: id, at: now)
        } else if scan.allowsDuplicates {
            note("your app asks for duplicates in the background: iOS reports each peripheral once", of: id, at: now)
        }
    }
}

extension ScanTiming {
    /// 30 ms out of every 300.
    fileprivate static let background = Self(intervalSteps: 480, windowSteps: 48) ?? .continuous
}

extension AdvertisingData {
    /// The services that an advertiser looks for.
    var solicitedUUIDs: [BluetoothUUID] {
        uuids(in: .solicitedUUIDs16, bytes: 2) + uuids(in: .solicitedUUIDs128, bytes: 16)
    }

    private func uuids(in type: DataType, bytes width: Int) -> [BluetoothUUID] {
        structures.filter { $0.type == type }.flatMap { structure in
            stride(from: 0, through: structure.bytes.count - width, by: width).compactMap { start in
                var span = structure.bytes.span.bytes.extracting(start..<(start + width))
                return try? BluetoothUUID(parsing: &span)
            }
        }
    }
}
