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
            guard let scan = central.clients[client].scan else { continue }
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
        let advertisement = central.peers[peer].advertisingData
        let overflow = OverflowArea(in: advertisement)
        // An empty list is taken for none.
        let services = scan.services ?? []
        let overflowServices = overflow.map { area in services.filter(area.contains) } ?? []
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
        let isNeeded = central.clients.contains { $0.scan != nil } || central.wanted(at: now).count > 1
        guard isNeeded != central.isScanning, central.retry == nil else { return }
        do {
            if isNeeded {
                try host.startScanning(at: now, into: &actions)
            } else {
                try host.stopScanning(at: now, into: &actions)
            }
            central.isScanning = isNeeded
        } catch .notActive {
            central.isScanning = false
        } catch {
            // Something else is under way that the controller cannot do at the same time.
            central.retry = now + .milliseconds(100)
        }
    }
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
