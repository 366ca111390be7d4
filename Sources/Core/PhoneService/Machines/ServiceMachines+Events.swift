import BluethroatBluetoothValues
import BluethroatHost

/// Which machine an event of the host is for. The compiler refuses an event that is left out.
extension ServiceMachines {
    mutating func handle(_ event: HostEvent, _ turn: inout ServiceTurn) {
        switch event {
        // The host itself
        case .poweredOn(let identity):
            turn.clients.names.phone = settings.identifierNumber ?? identity.address.value
            central.cameUp(&turn)
            change(to: .poweredOn, &turn)
            peripheral.cameUp(&turn)
        case .startFailed: fail(with: .unsupported, &turn)
        case .controllerFailed:
            discardKept(&turn) { _ in true }
            fail(with: .resetting, &turn)
        case .malformedPacket, .commandCompleted: break

        // GAP
        case .advertisingReport(let report): central.heard(report, &turn)
        case .advertisingStarted: peripheral.advertisingStarted(&turn)
        case .advertisingEnded(let end): peripheral.advertisingEnded(end, &turn)
        case .scanningEnded(let end): central.scanningEnded(end, &turn)
        case .connected(let description):
            peripheral.connected(description, &turn)
            central.connected(description, &turn)
        case .connectFailed(_, let failure): central.connectFailed(failure, &turn)
        case .disconnected(let connection, let reason):
            forgetQuestion(on: connection)
            peripheral.disconnected(connection, &turn)
            central.disconnected(connection, reason, &turn)
        case .parametersChanged(let connection, _): peripheral.parametersChanged(connection, &turn)
        case .parameterUpdateCompleted(let connection, let result):
            peripheral.parameterUpdateCompleted(connection, result, &turn)
        case .signalStrength(let connection, let strength): central.signalStrength(connection, strength, &turn)
        case .connectionOrderFailed(let connection, .readRSSI, _): central.signalStrength(connection, nil, &turn)
        case .connectionOrderFailed, .scanningStarted, .filterAcceptListSet, .parameterRequestAnswered,
            .dataLengthChanged, .phys, .remoteVersion, .remoteFeatures:
            break

        // Data
        case .readyToSend(let connection):
            peripheral.readyToSend(&turn)
            central.readyToSend(connection, &turn)
        case .channel(let event): handle(event, &turn)

        // Security
        case .security(let event): handle(event, &turn)

        // ATT and GATT
        case .mtuChanged(let connection, let mtu):
            peripheral.mtuChanged(of: connection, &turn)
            central.mtuChanged(connection, mtu, &turn)
        case .server(let event): peripheral.handle(event, &turn)
        case .client(let event): central.handle(event, &turn)
        case .attTimedOut(let connection): central.attTimedOut(connection, &turn)
        }
    }

    /// The state is below off.
    private mutating func fail(with radio: RadioState, _ turn: inout ServiceTurn) {
        change(to: radio, &turn)
        peripheral.forgetEverything(&turn)
        channels.forgetPublished(&turn)
    }

    private mutating func handle(_ event: ChannelEvent, _ turn: inout ServiceTurn) {
        switch event {
        case .opened(let description): opened(description, &turn)
        case .openFailed(let channel, let failure): central.openingFailed(channel, failure, &turn)
        case .received(let channel, let sdu): channels.received(sdu, on: channel, &turn)
        case .readyToSend(let channel): channels.readyToSend(channel, &turn)
        case .peerReconfigured(let channel, let mtu, let mps):
            channels.peerReconfigured(channel, mtu: mtu, mps: mps)
        case .closed(let channel, let reason):
            channels.closed(channel, reason, ownFault: central.fault(of: channel.connection), &turn)
        case .requested, .reconfigured: break
        }
    }

    private mutating func handle(_ event: SecurityEvent, _ turn: inout ServiceTurn) {
        switch event {
        case .encryptionChanged(let connection, let security):
            peripheral.encryptionChanged(connection, &turn)
            central.encryptionChanged(connection, security, &turn)
        case .encryptionFailed(let connection, let reason): central.encryptionFailed(connection, reason, &turn)
        case .paired(let connection, let result):
            forgetQuestion(on: connection)
            peripheral.paired(connection, result, &turn)
            central.paired(connection, &turn)
        case .pairing(let event): handle(event, &turn)
        case .bondSaved, .bondRemoved, .bondStoreFailed: break
        }
    }

    private mutating func handle(_ event: PairingEvent, _ turn: inout ServiceTurn) {
        switch event {
        case .consentRequested(let connection, _): ask(.consent, on: connection, &turn)
        case .comparisonRequested(let connection, let digits): ask(.sameDigits(digits), on: connection, &turn)
        case .passkeyRequested(let connection): ask(.digits, on: connection, &turn)
        case .passkeyShown(let connection, let passkey): ask(.shown(passkey), on: connection, &turn)
        case .securityRequested(let connection, _): central.securityRequested(connection, &turn)
        case .failed(let connection, _):
            forgetQuestion(on: connection)
            central.pairingFailed(connection, &turn)
        case .keypress, .finished: break
        }
    }

    /// Asks the phone's person. One who is not asked says yes to every pairing, but for one that would replace a bond, if the
    /// settings say so.
    private mutating func ask(_ kind: PairingQuestion.Kind, on connection: ConnectionID, _ turn: inout ServiceTurn) {
        let peer = turn.host.description(of: connection).map { $0.peerIdentity ?? $0.peer }
        if asksPerson, let peer {
            return turn.clients.questions.append(newQuestion(kind, on: connection, of: peer))
        }
        let answer: PairingAnswer
        switch kind {
        case .consent:
            let replaces = turn.host.bonds.contains { $0.peer == peer }
            answer = replaces && settings.replacesBonds == false ? .refuse : .agree
        case .sameDigits: answer = .agree
        case .digits: answer = settings.passkey.map { .passkey($0) } ?? .refuse
        case .shown: return
        }
        try? turn.host.answer(answer, on: connection, at: turn.now, into: &turn.actions)
    }

    /// A channel is open. One that no app wants any more is closed again.
    private mutating func opened(_ description: ChannelDescription, _ turn: inout ServiceTurn) {
        let connection = description.id.connection
        if description.isIncoming {
            if let session = channels.publisher(of: description.spsm),
                let central = peripheral.describe(connection, to: session, &turn)
            {
                let channel = channels.add(description, for: session)
                return turn.emit(.channelOpened(channel, central), to: session)
            }
        } else if let session = central.opened(description.id) {
            let channel = channels.add(description, for: session)
            return central.emit(channel, on: connection, to: session, &turn)
        }
        try? turn.host.closeChannel(description.id, discarding: true, at: turn.now, into: &turn.actions)
    }
}
