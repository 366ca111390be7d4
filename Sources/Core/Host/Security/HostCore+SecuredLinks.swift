internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// What the Security Manager needs of the host, and what it asks for.
extension HostCore {
    mutating func emit(_ event: SecurityEvent, into actions: inout HostActions) {
        actions.events.append(.security(event))
    }

    /// A new connection. A central encrypts at once what is bonded; a peripheral waits for its central to do so, and believes
    /// nothing of its server before, be it that the bond was made with the roles the other way round.
    mutating func openSecurity(_ slot: Int) {
        updateSecurity(slot)
        guard configuration.encryptsBondedLinks, canEncrypt(as: links[slot].role), let bond = bond(of: slot) else {
            return
        }
        guard links[slot].role == .central else {
            links[slot].security.hasToProve = bond.keyAsCentral != nil || bond.keyAsPeripheral != nil
            return
        }
        guard let key = bond.keyAsCentral else { return }
        links[slot].security.hasToProve = true
        encrypt(slot, with: key, for: .known)
    }

    /// A connection is going, and with it what was under way on it.
    mutating func closeSecurity(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        var steps = SecurityActions()
        security.close(&links[slot], at: now, into: &steps)
        carryOut(steps, slot, at: now, into: &actions)
    }

    /// The pairing on a link has rested for too long.
    mutating func pairingTimedOut(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        var steps = SecurityActions()
        security.timeOut(&links[slot], at: now, into: &steps)
        carryOut(steps, slot, at: now, into: &actions)
    }

    /// A whole PDU has come on the Security Manager's channel.
    mutating func handleSecurityPDU(_ pdu: RawSpan, _ slot: Int, at now: Instant, into actions: inout HostActions) {
        guard pdu.byteCount <= SMPPDU.maximumLength else {
            return handleTooLongSecurityPDU(pdu, slot, at: now, into: &actions)
        }
        var steps = SecurityActions()
        let isInUse = links.isFixedPasskeyInUse
        security.handlePDU(pdu, on: &links[slot], isFixedPasskeyInUse: isInUse, at: now, into: &steps)
        carryOut(steps, slot, at: now, into: &actions)
    }

    /// A PDU has come that is longer than any of the Security Manager's.
    mutating func handleTooLongSecurityPDU(
        _ beginning: RawSpan,
        _ slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        var steps = SecurityActions()
        security.handleTooLongPDU(beginning, on: &links[slot], at: now, into: &steps)
        carryOut(steps, slot, at: now, into: &actions)
    }

    /// Carries out what the Security Manager asks for on a link.
    mutating func carryOut(_ steps: SecurityActions, _ slot: Int, at now: Instant, into actions: inout HostActions) {
        for step in steps.list {
            switch step {
            case .send(let packet): send(packet, on: .securityManager, slot: slot, into: &actions)
            case .startEncryption(let key): encrypt(slot, with: key, for: .pairing)
            case .emit(.finished(_, let result)): pairingFinished(slot, result, at: now, into: &actions)
            case .emit(.securityRequested(_, let requirements)): securityRequested(slot, requirements, into: &actions)
            case .emit(let event): emit(.pairing(event), into: &actions)
            }
        }
    }

    /// The peripheral requests encryption of the link: with the key of the bond if that is good enough, else the
    /// application decides. Core 6.0, Vol 3, Part H, 2.4.6.
    private mutating func securityRequested(
        _ slot: Int,
        _ requirements: AuthenticationRequirements,
        into actions: inout HostActions
    ) {
        guard links[slot].security.order == nil else { return }
        func suffices(_ key: LongTermKey) -> Bool {
            key.isAuthenticated || !requirements.contains(.manInTheMiddleProtection)
        }
        // What is asked for is there.
        if let key = links[slot].security.key, suffices(key), !links[slot].security.level.isWeakerThanBond { return }
        if let key = bond(of: slot)?.keyAsCentral, suffices(key), key != links[slot].security.key,
            !links[slot].security.hasLostBond, canEncrypt(as: .central)
        {
            return encrypt(slot, with: key, for: .known)
        }
        links[slot].security.isAskedForSecurity = true
        emit(.pairing(.securityRequested(links[slot].id, requirements)), into: &actions)
    }

    /// How the peer's request to pair is answered on a link at the moment.
    func settings(for slot: Int) -> PairingSettings {
        var settings = usualSettings(slot)
        guard canEncrypt(as: links[slot].role) else {
            settings.acceptsRequests = false
            return settings
        }
        guard let strength = bond(of: slot)?.strength else { return settings }
        let replacement = settings.bondReplacement
        settings = settings.notWeaker(than: strength)
        if !links[slot].security.isProven {
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

extension LinkTable {
    /// Whether a pairing is under way on any link that is about a passkey which is always the same.
    var isFixedPasskeyInUse: Bool {
        for slot in 0..<slotCount where isOpen(slot) && self[slot].smp.usesFixedPasskey { return true }
        return false
    }
}
