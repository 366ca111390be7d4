import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// The events of a central's host.
extension WorkbenchCentral {
    public func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn:
            isUp = true
            identity = host.identity?.address
            changeCount += 1
            applyWantedScanning(host: host, at: now, into: &actions)
        case .startFailed, .controllerFailed:
            isUp = false
            changeCount += 1
        case .scanningStarted:
            isScanning = true
            changeCount += 1
        case .scanningEnded:
            isScanning = false
            changeCount += 1
            applyWantedScanning(host: host, at: now, into: &actions)
        case .advertisingReport(let report):
            _ = sightings.absorb(report, at: now)
            sightingCount += 1
        case .connected(let description): connected(description, host: host, at: now, into: &actions)
        case .connectFailed(let peer, let failure):
            guard let attempt = connecting, attempt.peer == peer else { return }
            connecting = nil
            refuse(attempt.entry, Refusal(failure, peer), at: now, attempt.answer)
        case .disconnected(let id, let reason):
            disconnected(id, reason, at: now)
        case .parametersChanged(let id, let parameters): change(id) { $0.parameters = parameters }
        case .mtuChanged(let id, let mtu):
            change(id) { $0.mtu = mtu }
            log.note(.mtu, at: now, peer: peer(of: id), outcome: "\(mtu) bytes")
        case .signalStrength(let id, let strength): change(id) { $0.signalStrength = strength }
        case .client(let event): handle(event, host: host, at: now, into: &actions)
        case .security(let event): handle(event, host: host, at: now, into: &actions)
        default: break
        }
    }

    func applyWantedScanning(host: Host, at now: Instant, into actions: inout HostActions) {
        guard isUp, wantsToScan != isScanning else { return }
        if wantsToScan {
            try? host.startScanning(at: now, into: &actions)
        } else {
            try? host.stopScanning(at: now, into: &actions)
        }
    }

    private func connected(
        _ description: ConnectionDescription,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let link = CentralLink(
            id: description.id,
            // As the one who asked knows it.
            peer: connecting?.peer ?? description.peer,
            isBonded: description.isBonded,
            since: now,
            parameters: description.parameters
        )
        links.append(link)
        nextLook = nextLook ?? now + .milliseconds(100)
        changeCount += 1
        _ = try? host.exchangeMTU(link.id, at: now, into: &actions)
        guard let attempt = connecting else { return }
        connecting = nil
        log.end(attempt.entry, at: now, outcome: "interval \(link.parameters.interval.span)")
        attempt.answer(.success(link))
        if attempt.isGivenUp { try? host.disconnect(link.id, at: now, into: &actions) }
    }

    private func disconnected(_ id: ConnectionID, _ reason: ControllerError, at now: Instant) {
        guard let index = links.firstIndex(where: { $0.id == id }) else { return }
        let link = links.remove(at: index)
        log.note(.disconnect, at: now, peer: link.peer, outcome: "\(reason)", hasFailed: reason == .connectionTimeout)
        changeCount += 1
        if let pairing = pairings.removeValue(forKey: id) {
            refuse(
                pairing.entry,
                Refusal(kind: .notNow, sentence: "the connection is lost: \(reason)"),
                at: now,
                pairing.answer
            )
        }
    }

    private func handle(_ event: GATTClientEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .procedureCompleted(let procedure, _, let result):
            guard let waiting = procedures.removeValue(forKey: procedure) else { return }
            changeCount += 1
            waiting.answer(result, now)
            readDescriptions(host: host, at: now, into: &actions)
        case .notificationReceived(let id, let handle, let value, let isIndication):
            guard let link = links.firstIndex(where: { $0.id == id }) else { return }
            links[link].keep(value, of: handle, at: now)
            log.note(
                isIndication ? .indication : .notification,
                at: now,
                peer: links[link].peer,
                handle: handle,
                uuid: links[link].uuid(at: handle),
                value: value
            )
            changeCount += 1
        case .unexpectedPDU: break
        }
    }

    private func handle(_ event: SecurityEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .pairing(.consentRequested(let id, _)), .pairing(.securityRequested(let id, _)): ask(.consent, on: id)
        case .pairing(.comparisonRequested(let id, let digits)): ask(.comparison(digits), on: id)
        case .pairing(.passkeyShown(let id, let digits)): ask(.passkeyShown(digits), on: id)
        case .pairing(.passkeyRequested(let id)): ask(.passkeyWanted, on: id)
        case .pairing(.failed(let id, let failure)):
            ask(nil, on: id)
            guard let pairing = pairings.removeValue(forKey: id) else { return }
            refuse(
                pairing.entry,
                Refusal(kind: .refusedByPeer, sentence: "pairing failed: \(failure)"),
                at: now,
                pairing.answer
            )
        case .paired(let id, let result):
            ask(nil, on: id)
            change(id) { $0.isBonded = result.isBonded }
            guard let pairing = pairings.removeValue(forKey: id) else { return }
            log.end(pairing.entry, at: now, outcome: "\(result.method)")
            pairing.answer(.success(host.security(of: id) ?? LinkSecurity()))
        case .encryptionChanged(let id, let security):
            change(id) { $0.security = security }
            log.note(
                .security,
                at: now,
                peer: peer(of: id),
                outcome: security.isEncrypted ? "encrypted" : "not encrypted"
            )
        case .encryptionFailed(let id, let error):
            log.note(.security, at: now, peer: peer(of: id), outcome: "\(error)", hasFailed: true)
            changeCount += 1
        default: break
        }
    }

    private func ask(_ question: PairingQuestion?, on id: ConnectionID) { change(id) { $0.question = question } }
}
