internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// What the controller reports by itself.
extension HostCore {
    mutating func handleEvent(_ packet: [UInt8], at now: Instant, into actions: inout HostActions) {
        // The one event that comes with every packet sent is read without unpacking it.
        if packet.count > 1, packet[1] == EventCode.numberOfCompletedPackets.rawValue {
            return handleCompletedPackets(packet, at: now, into: &actions)
        }
        let event: Event
        do {
            // Those that come most.
            if let complete = try CommandComplete.read(packet) {
                return handleCommandComplete(complete, at: now, into: &actions)
            }
            if let report = try LEAdvertisingReport.read(packet) {
                return handleAdvertisingReport(report, at: now, into: &actions)
            }
            event = try Event(parsing: packet)
        } catch {
            return actions.events.append(.malformedPacket(.event(code: packet.count > 1 ? packet[1] : nil)))
        }
        switch event {
        case .commandStatus(let status): return handleCommandStatus(status, at: now, into: &actions)
        case .hardwareError(let error): return hardwareError(error.code, at: now, into: &actions)
        default: break
        }
        guard controller.phase == .up else { return }
        noteAnswer(event, at: now, into: &actions)
        switch event {
        case .leExtendedAdvertisingReport(let report): handleExtendedAdvertisingReport(report, at: now, into: &actions)
        case .leConnectionComplete(let complete):
            handleConnectionComplete(ConnectionAttempt(complete), at: now, into: &actions)
        case .leEnhancedConnectionComplete(let complete):
            handleConnectionComplete(ConnectionAttempt(complete), at: now, into: &actions)
        case .disconnectionComplete(let complete): handleDisconnectionComplete(complete, at: now, into: &actions)
        case .leConnectionUpdateComplete(let complete):
            handleConnectionUpdateComplete(complete, at: now, into: &actions)
        case .leRemoteConnectionParameterRequest(let request): handleRemoteParameterRequest(request, into: &actions)
        case .leLongTermKeyRequest(let request): handleLongTermKeyRequest(request, at: now, into: &actions)
        case .encryptionChange(let change): handleEncryptionChange(change, at: now, into: &actions)
        case .encryptionKeyRefreshComplete(let refresh): handleEncryptionKeyRefresh(refresh, at: now, into: &actions)
        case .leReadRemoteFeaturesComplete(let complete): handleRemoteFeatures(complete, at: now, into: &actions)
        case .readRemoteVersionInformationComplete(let complete): handleRemoteVersion(complete, into: &actions)
        case .leDataLengthChange(let change): handleDataLengthChange(change, into: &actions)
        case .lePHYUpdateComplete(let complete): handlePHYUpdateComplete(complete, into: &actions)
        default: break
        }
    }

    private mutating func handleAdvertisingReport(
        _ report: LEAdvertisingReport,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard controller.phase == .up, gap.scanner.isRunning else { return }
        for heard in report.reports {
            guard let kind = AdvertisingReport.Kind(rawValue: heard.type.rawValue) else { continue }
            emitAdvertisement(heard.peer, kind, heard.data, heard.rssi, into: &actions)
        }
    }

    /// The host does not ask for extended reports; some controllers send this form all the same. Core 6.0,
    /// Vol 4, Part E, 7.7.65.13.
    private mutating func handleExtendedAdvertisingReport(
        _ report: LEExtendedAdvertisingReport,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard gap.scanner.isRunning else { return }
        for heard in report.reports {
            emitAdvertisement(heard.peer, AdvertisingReport.Kind(heard.type), heard.data, heard.rssi, into: &actions)
        }
    }

    /// Gives one report to the application, and who is behind its address.
    private mutating func emitAdvertisement(
        _ peer: PeerAddress,
        _ kind: AdvertisingReport.Kind,
        _ data: [UInt8],
        _ rssi: SignalStrength?,
        into actions: inout HostActions
    ) {
        let sender = sender(of: peer)
        // A controller in network privacy mode would not have reported it either.
        if case .exposed = sender { return }
        let report = AdvertisingReport(
            kind: kind,
            address: peer.address,
            identity: sender.identity,
            data: data,
            signalStrength: rssi
        )
        if report.isConnectable, let identity = sender.identity { gap.initiator.found(identity, as: peer) }
        guard gap.scanner.isOn, !gap.scanner.isFilteredByHost || isListed(report) else { return }
        actions.events.append(.advertisingReport(report))
    }

    private mutating func handleDisconnectionComplete(
        _ complete: DisconnectionComplete,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let slot = links.slot(of: complete.connection) else { return }
        guard complete.status == .success else {
            guard links[slot].control.isDisconnecting else { return }
            links[slot].control.isDisconnecting = false
            actions.events.append(.connectionOrderFailed(links[slot].id, .disconnect, complete.status))
            return
        }
        guard links[slot].control.isAnswered else { return neverAnswered(slot, at: now, into: &actions) }
        var reason = FailureCode(received: complete.reason).error
        // The peer chooses what it says; without an order of this host it was the peer that has ended the connection.
        if reason == .connectionTerminatedByLocalHost, !links[slot].control.isDisconnecting {
            reason = .remoteUserTerminatedConnection
        }
        close(slot, reason: reason, at: now, into: &actions)
    }

    private mutating func handleRemoteVersion(
        _ complete: ReadRemoteVersionInformationComplete,
        into actions: inout HostActions
    ) {
        guard let slot = links.slot(of: complete.connection) else { return }
        let id = links[slot].id
        guard complete.status == .success else {
            return actions.events.append(.connectionOrderFailed(id, .readRemoteVersion, complete.status))
        }
        let version = RemoteVersion(
            version: complete.version,
            manufacturer: complete.companyIdentifier,
            subversion: complete.subversion
        )
        actions.events.append(.remoteVersion(id, version))
    }

    private mutating func handleDataLengthChange(_ change: LEDataLengthChange, into actions: inout HostActions) {
        guard let slot = links.slot(of: change.connection) else { return }
        let length = DataLength(
            sentBytes: Int(change.transmitOctets),
            sentMicroseconds: Int(change.transmitTime),
            receivedBytes: Int(change.receiveOctets),
            receivedMicroseconds: Int(change.receiveTime)
        )
        actions.events.append(.dataLengthChanged(links[slot].id, length))
    }
}
