internal import BluetoothCrypto
internal import BluetoothValues
internal import HCI
internal import VirtualTime

/// What the Security Manager needs of the host, and what it wants done.
extension HostCore {
    mutating func tell(_ event: SecurityEvent, into actions: inout HostActions) {
        actions.events.append(.security(event))
    }

    /// A new connection. A central encrypts at once what is bonded.
    mutating func openSecurity(slot: Int, at now: Instant, into actions: inout HostActions) {
        let connection = connections[slot]
        let link = SecuredLink(
            id: connection.id,
            role: connection.role,
            own: connection.own,
            peer: connection.peer,
            identity: connection.peerIdentity ?? connection.peer
        )
        security.open(link)
        guard let index = security.index(of: link.id) else { return }
        updateSecurity(index)
        guard configuration.encryptsBondedLinks, link.role == .central, canEncrypt(as: .central),
            let key = bond(of: link)?.keyAsCentral
        else { return }
        security[index].hasToProve = true
        encrypt(index, with: key, for: .known)
    }

    /// A connection has gone, and with it what was under way on it.
    mutating func closeSecurity(_ connection: ConnectionID, at now: Instant, into actions: inout HostActions) {
        security.close(connection, at: now, into: &securityActions)
        carryOutSecurity(at: now, into: &actions)
    }

    /// Does what is due.
    mutating func expireSecurity(at now: Instant, into actions: inout HostActions) {
        guard securityDeadline <= now else { return }
        security.manager.expire(at: now, into: &securityActions)
        carryOutSecurity(at: now, into: &actions)
    }

    /// A whole PDU has come on the Security Manager's channel.
    mutating func receive(smp pdu: RawSpan, on id: ConnectionID, at now: Instant, into actions: inout HostActions) {
        if pdu.byteCount > SMPPDU.maximumLength {
            security.manager.receiveTooLong(pdu, on: id, at: now, into: &securityActions)
        } else {
            security.manager.receive(pdu, on: id, at: now, into: &securityActions)
        }
        carryOutSecurity(at: now, into: &actions)
    }

    /// A PDU has come that is longer than any of the Security Manager's.
    mutating func receiveTooLong(
        smp beginning: RawSpan,
        on id: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        security.manager.receiveTooLong(beginning, on: id, at: now, into: &securityActions)
        carryOutSecurity(at: now, into: &actions)
    }

    /// Carries out what the Security Manager wants done, and empties its list.
    mutating func carryOutSecurity(at now: Instant, into actions: inout HostActions) {
        var list: [SecurityActions.Action] = []
        swap(&list, &securityActions.list)
        for action in list {
            switch action {
            case .send(let id, let packet):
                guard let slot = connections.slot(of: id) else { continue }
                send(packet, on: .securityManager, slot: slot, into: &actions)
            case .startEncryption(let id, let key):
                guard let index = security.index(of: id) else { continue }
                encrypt(index, with: key, for: .pairing)
            case .tell(.finished(let id, let result)):
                pairingFinished(id, result, at: now, into: &actions)
            case .tell(.securityRequested(let id, let requirements)):
                securityRequested(id, requirements, into: &actions)
            case .tell(let event): tell(.pairing(event), into: &actions)
            }
        }
        securityDeadline = security.manager.nextDeadline ?? .distantFuture
    }

    /// The peripheral wants the link to be encrypted: with the key of the bond if that is good enough, else the
    /// application decides. Core 6.0, Vol 3, Part H, 2.4.6.
    private mutating func securityRequested(
        _ id: ConnectionID,
        _ requirements: AuthenticationRequirements,
        into actions: inout HostActions
    ) {
        guard let index = security.index(of: id), security[index].order == nil else { return }
        func suffices(_ key: LongTermKey) -> Bool {
            key.isAuthenticated || !requirements.contains(.manInTheMiddleProtection)
        }
        // What is asked for is there.
        if let key = security[index].key, suffices(key), !linkSecurity(index).isWeakerThanBond { return }
        if let key = bond(of: security[index])?.keyAsCentral, suffices(key), key != security[index].key,
            !security[index].hasLostBond, canEncrypt(as: .central)
        {
            return encrypt(index, with: key, for: .known)
        }
        security[index].isAskedForSecurity = true
        tell(.pairing(.securityRequested(id, requirements)), into: &actions)
    }

    /// How the peer's wish to pair is answered on a link at the moment.
    func settings(for index: Int) -> PairingSettings {
        let link = security[index]
        var settings = usualSettings(index)
        guard canEncrypt(as: link.role) else {
            settings.acceptsRequests = false
            return settings
        }
        guard let strength = bond(of: link)?.strength else { return settings }
        let replacement = settings.bondReplacement
        settings = settings.notWeaker(than: strength)
        if !link.isProven {
            switch replacement {
            case .asked: settings.asksConsent = true
            case .granted: settings.protection = .required
            case .grantedWithoutAuthentication: break
            case .refused: settings.acceptsRequests = false
            }
        }
        return settings
    }
}
