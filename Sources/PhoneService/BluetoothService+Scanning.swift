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
            guard scan.allowsDuplicates || isComplete && !isRepeated else { continue }
            guard let sighting = sighting(of: peer, by: client, scan) else { continue }
            tell(.central(.discovered(sighting)), to: central.clients[client].id)
            if !isRepeated { discovered(peer, by: client) }
        }
        guard central.call == nil, report.isConnectable else { return }
        let wanted = central.wanted(at: now)
        guard wanted.count > 1, wanted.contains(peer) else { return }
        call(peer, isPatient: false, host: host, at: now, into: &actions)
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
        return sessions.contains(where: isInForeground) ? .full : .reduced
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
        guard isScreenOn else { return false }
        let app = record(of: central.clients[client].app)
        return app.state == .foreground || app.rangesBeacons
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
