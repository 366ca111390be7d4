internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Encryption of links, as the controller carries it out. Core 6.0, Vol 4, Part E, 7.8.24 to 7.8.26.
extension HostCore {
    /// Whether the controller can encrypt links as central and as peripheral.
    func canEncrypt(as role: ConnectionRole) -> Bool {
        switch role {
        case .central: controller.findings.offers(.leEnableEncryption)
        case .peripheral:
            controller.findings.offers(.leLongTermKeyRequestReply)
                && controller.findings.offers(.leLongTermKeyRequestNegativeReply)
        }
    }

    // MARK: As central

    /// Orders the controller to encrypt a link, or to change its key.
    mutating func encrypt(_ slot: Int, with key: LongTermKey, for purpose: SecuredLink.Purpose) {
        let id = links[slot].id
        links[slot].security.expect(key, for: purpose)
        let command = LEEnableEncryption(
            connection: id.handle,
            random: key.identification.random,
            encryptedDiversifier: key.identification.encryptedDiversifier,
            longTermKey: key.value.littleEndianBytes
        )
        pipeline.submit(Command.leEnableEncryption(command).packet(), for: .connection(id, .encrypt))
    }

    /// The controller will not encrypt; nothing has changed.
    mutating func encryptionRefused(
        _ slot: Int,
        _ error: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let order = links[slot].security.refused() else { return }
        encryptionFailed(slot, order, error, at: now, into: &actions)
    }

    // MARK: As peripheral

    /// The controller asks for the key with which the central requests encryption. First comes the pairing under way,
    /// then the bond, then what was made on this connection before.
    mutating func handleLongTermKeyRequest(
        _ request: LELongTermKeyRequest,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let wanted = CentralIdentification(
            encryptedDiversifier: request.encryptedDiversifier,
            random: request.random
        )
        guard let slot = links.slot(of: request.connection), links[slot].role == .peripheral else {
            return refuseKey(request.connection)
        }
        let id = links[slot].id
        if let key = security.longTermKey(for: wanted, on: &links[slot]) {
            return give(key, slot, for: .pairing)
        }
        if let key = bond(of: slot)?.keyAsPeripheral, key.identification == wanted {
            return give(key, slot, for: .known)
        }
        if let key = links[slot].security.lastKey, wanted == .none { return give(key, slot, for: .known) }
        refuseKey(request.connection)
        emit(.encryptionFailed(id, .pinOrKeyMissing), into: &actions)
    }

    private mutating func give(_ key: LongTermKey, _ slot: Int, for purpose: SecuredLink.Purpose) {
        links[slot].security.expect(key, for: purpose)
        let reply = LELongTermKeyRequestReply(
            connection: links[slot].id.handle,
            longTermKey: key.value.littleEndianBytes
        )
        let owner = CommandOwner.connection(links[slot].id, .keyReply)
        pipeline.submitAnswer(Command.leLongTermKeyRequestReply(reply).packet(), for: owner)
    }

    private mutating func refuseKey(_ handle: ConnectionHandle) {
        guard controller.findings.offers(.leLongTermKeyRequestNegativeReply) else { return }
        let reply = LELongTermKeyRequestNegativeReply(connection: handle)
        pipeline.submitAnswer(Command.leLongTermKeyRequestNegativeReply(reply).packet(), for: .ignored)
    }

    // MARK: Both

    /// A link is encrypted, or is not any more, or could not be encrypted.
    mutating func handleEncryptionChange(_ change: EncryptionChange, at now: Instant, into actions: inout HostActions) {
        guard let slot = knownSlot(of: change.connection) else { return }
        if change.status == .success, change.isEncrypted {
            encryptionStarted(slot, at: now, into: &actions)
        } else {
            encryptionEnded(slot, change.status, at: now, into: &actions)
        }
    }

    /// An encrypted link has changed its key, or could not. One that was never encrypted has no key to change: who says
    /// so is not believed.
    mutating func handleEncryptionKeyRefresh(
        _ refresh: EncryptionKeyRefreshComplete,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let slot = knownSlot(of: refresh.connection) else { return }
        if refresh.status == .success, links[slot].security.hasBeenEncrypted {
            encryptionStarted(slot, at: now, into: &actions)
        } else {
            encryptionEnded(slot, refresh.status, at: now, into: &actions)
        }
    }

    /// The slot of a connection of which the application knows.
    private func knownSlot(of handle: ConnectionHandle) -> Int? {
        guard let slot = links.slot(of: handle), links[slot].control.isAnswered else { return nil }
        return slot
    }

    private mutating func encryptionStarted(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        let order = links[slot].security.encrypted()
        if let order { setProven(isKeyOfBond(order.key, slot), slot) }
        updateSecurity(slot)
        emit(.encryptionChanged(links[slot].id, links[slot].security.level), into: &actions)
        guard let order else { return }
        switch order.purpose {
        case .pairing:
            encryptionChanged(to: .success, slot, at: now, into: &actions)
        case .known:
            guard links[slot].security.isProven else { return }
            restoreClient(slot, at: now, into: &actions)
            // What the client has set before it was known is its own, and newer than the bond.
            keepClient(slot, at: now, into: &actions)
        }
    }

    /// The link is in the clear, whatever it was before. With an error that is not certain where the link was encrypted,
    /// but nothing is entrusted to it any more.
    private mutating func encryptionEnded(
        _ slot: Int,
        _ status: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let wasEncrypted = links[slot].security.key != nil
        let order = links[slot].security.notEncrypted()
        updateSecurity(slot)
        if wasEncrypted { emit(.encryptionChanged(links[slot].id, links[slot].security.level), into: &actions) }
        let error = status == .success ? .insufficientSecurity : status
        if let order {
            encryptionFailed(slot, order, error, at: now, into: &actions)
        } else if wasEncrypted {
            // A pairing that gives its keys away over this link has to end.
            encryptionChanged(to: error, slot, at: now, into: &actions)
        }
    }

    private mutating func encryptionFailed(
        _ slot: Int,
        _ order: SecuredLink.Order,
        _ error: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        switch order.purpose {
        case .pairing:
            encryptionChanged(to: error, slot, at: now, into: &actions)
        case .known:
            if error == .pinOrKeyMissing { links[slot].security.hasLostBond = true }
            emit(.encryptionFailed(links[slot].id, error), into: &actions)
        }
    }

    // MARK: How well a link is secured

    /// What is known of a link's security.
    private func linkSecurity(_ slot: Int) -> LinkSecurity {
        let bond = bond(of: slot)
        var result = LinkSecurity()
        if let key = links[slot].security.key {
            result.isEncrypted = true
            result.isAuthenticated = key.isAuthenticated
            result.isSecureConnections = key.isSecureConnections
            result.keySize = UInt8(clamping: key.size)
            if let strength = bond?.strength { result.isWeakerThanBond = key.isWeaker(than: strength) }
        }
        result.hasKey = links[slot].security.lastKey != nil || bond?.key(as: links[slot].role) != nil
        result.isAuthorized = links[slot].security.level.isAuthorized
        return result
    }

    /// Brings what a link's layers go by up to date with its key, the bonds and the settings.
    mutating func updateSecurity(_ slot: Int) {
        links[slot].security.level = linkSecurity(slot)
        links[slot].smp.settings = settings(for: slot)
    }

    /// The peer of a link has shown the key of its bond, or is not known to have it any more.
    mutating func setProven(_ isProven: Bool, _ slot: Int) { security.note(isProven: isProven, on: &links[slot]) }

    /// A pairing under way hears that the link is encrypted, or why it is not.
    private mutating func encryptionChanged(
        to result: ControllerError,
        _ slot: Int,
        at now: Instant,
        into actions: inout HostActions
    ) {
        var steps = SecurityActions()
        security.encryptionChanged(to: result, on: &links[slot], at: now, into: &steps)
        carryOut(steps, slot, at: now, into: &actions)
    }
}
