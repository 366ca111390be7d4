internal import BluetoothCrypto
internal import BluetoothValues
internal import HCI
internal import VirtualTime

/// Encryption of links, as the controller carries it out. Core 6.0, Vol 4, Part E, 7.8.24 to 7.8.26.
extension HostCore {
    /// Whether the controller can encrypt links as central and as peripheral.
    func canEncrypt(as role: ConnectionRole) -> Bool {
        switch role {
        case .central: findings.offers(.leEnableEncryption)
        case .peripheral:
            findings.offers(.leLongTermKeyRequestReply) && findings.offers(.leLongTermKeyRequestNegativeReply)
        }
    }

    // MARK: As central

    /// Orders the controller to encrypt a link, or to change its key.
    mutating func encrypt(_ index: Int, with key: LongTermKey, for purpose: SecuredLink.Purpose) {
        let id = security[index].id
        security[index].expect(key, for: purpose)
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
        _ id: ConnectionID,
        _ error: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = security.index(of: id), let order = security[index].refused() else { return }
        encryptionFailed(index, order, error, at: now, into: &actions)
    }

    /// The controller has taken the key that it was given.
    mutating func encryptionAccepted(_ id: ConnectionID) {
        guard let index = security.index(of: id) else { return }
        security[index].accepted()
    }

    // MARK: As peripheral

    /// The controller asks for the key with which the central wants to encrypt. First comes the pairing under way, then
    /// the bond, then what was made on this connection before.
    mutating func receive(_ request: LELongTermKeyRequest, at now: Instant, into actions: inout HostActions) {
        let wanted = CentralIdentification(
            encryptedDiversifier: request.encryptedDiversifier,
            random: request.random
        )
        guard let slot = connections.slot(of: request.connection),
            let index = security.index(of: connections[slot].id), security[index].role == .peripheral
        else { return refuseKey(request.connection) }
        let id = security[index].id
        if let key = security.manager.longTermKey(for: wanted, on: id) {
            return give(key, index, for: .pairing)
        }
        if let key = bond(of: security[index])?.keyAsPeripheral, key.identification == wanted {
            return give(key, index, for: .known)
        }
        if let key = security[index].lastKey, wanted == .none { return give(key, index, for: .known) }
        refuseKey(request.connection)
        tell(.encryptionFailed(id, .pinOrKeyMissing), into: &actions)
    }

    private mutating func give(_ key: LongTermKey, _ index: Int, for purpose: SecuredLink.Purpose) {
        security[index].expect(key, for: purpose)
        let reply = LELongTermKeyRequestReply(
            connection: security[index].id.handle,
            longTermKey: key.value.littleEndianBytes
        )
        let owner = CommandOwner.connection(security[index].id, .keyReply)
        pipeline.submitAnswer(Command.leLongTermKeyRequestReply(reply).packet(), for: owner)
    }

    private mutating func refuseKey(_ handle: ConnectionHandle) {
        guard findings.offers(.leLongTermKeyRequestNegativeReply) else { return }
        let reply = LELongTermKeyRequestNegativeReply(connection: handle)
        pipeline.submitAnswer(Command.leLongTermKeyRequestNegativeReply(reply).packet(), for: .nobody)
    }

    // MARK: Both

    /// A link is encrypted, or is not any more, or could not be encrypted.
    mutating func receive(_ change: EncryptionChange, at now: Instant, into actions: inout HostActions) {
        guard let index = securityIndex(change.connection) else { return }
        if change.status == .success, change.isEncrypted {
            encryptionStarted(index, at: now, into: &actions)
        } else {
            encryptionEnded(index, change.status, at: now, into: &actions)
        }
    }

    /// An encrypted link has changed its key, or could not. One that was never encrypted has no key to change: who says
    /// so is not believed.
    mutating func receive(_ refresh: EncryptionKeyRefreshComplete, at now: Instant, into actions: inout HostActions) {
        guard let index = securityIndex(refresh.connection) else { return }
        if refresh.status == .success, security[index].hasBeenEncrypted {
            encryptionStarted(index, at: now, into: &actions)
        } else {
            encryptionEnded(index, refresh.status, at: now, into: &actions)
        }
    }

    private func securityIndex(_ handle: ConnectionHandle) -> Int? {
        connections.slot(of: handle).flatMap { security.index(of: connections[$0].id) }
    }

    private mutating func encryptionStarted(_ index: Int, at now: Instant, into actions: inout HostActions) {
        let id = security[index].id
        let order = security[index].encrypted()
        if let order { security[index].isProven = isKeyOfBond(order.key, index) }
        updateSecurity(index)
        tell(.encryptionChanged(id, linkSecurity(index)), into: &actions)
        guard let order else { return }
        switch order.purpose {
        case .pairing:
            security.manager.encryptionChanged(to: .success, on: id, at: now, into: &securityActions)
            carryOutSecurity(at: now, into: &actions)
        case .known:
            guard security[index].isProven else { return }
            restoreClient(index, at: now, into: &actions)
            // What the client has set before it was known is its own, and newer than the bond.
            keepClient(id, at: now, into: &actions)
        }
    }

    /// The link is in the clear, whatever it was before. With an error that is not certain where the link was encrypted,
    /// but nothing is entrusted to it any more.
    private mutating func encryptionEnded(
        _ index: Int,
        _ status: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let wasEncrypted = security[index].key != nil
        let order = security[index].notEncrypted()
        updateSecurity(index)
        if wasEncrypted { tell(.encryptionChanged(security[index].id, linkSecurity(index)), into: &actions) }
        let error = status == .success ? .insufficientSecurity : status
        if let order {
            encryptionFailed(index, order, error, at: now, into: &actions)
        } else if wasEncrypted {
            // A pairing that gives its keys away over this link has to end.
            security.manager.encryptionChanged(to: error, on: security[index].id, at: now, into: &securityActions)
            carryOutSecurity(at: now, into: &actions)
        }
    }

    private mutating func encryptionFailed(
        _ index: Int,
        _ order: SecuredLink.Order,
        _ error: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let id = security[index].id
        switch order.purpose {
        case .pairing:
            security.manager.encryptionChanged(to: error, on: id, at: now, into: &securityActions)
            carryOutSecurity(at: now, into: &actions)
        case .known:
            if error == .pinOrKeyMissing { security[index].hasLostBond = true }
            tell(.encryptionFailed(id, error), into: &actions)
        }
    }

    // MARK: How well a link is secured

    /// What is known of a link's security.
    func linkSecurity(_ index: Int) -> LinkSecurity {
        let link = security[index]
        let bond = bond(of: link)
        var result = LinkSecurity()
        if let key = link.key {
            result.isEncrypted = true
            result.isAuthenticated = key.isAuthenticated
            result.isSecureConnections = key.isSecureConnections
            result.keySize = UInt8(clamping: key.size)
            if let strength = bond?.strength { result.isWeakerThanBond = key.isWeaker(than: strength) }
        }
        result.hasKey = link.lastKey != nil || bond?.key(as: link.role) != nil
        result.isAuthorized = att.index(of: link.id).map { att.bearers[$0].security.isAuthorized } ?? false
        return result
    }

    /// Lets the attribute server, and the Security Manager, know how things stand.
    mutating func updateSecurity(_ index: Int) {
        let id = security[index].id
        if let bearer = att.index(of: id) { att.bearers[bearer].security = linkSecurity(index) }
        try? security.manager.set(settings(for: index), isProven: security[index].isProven, on: id)
    }
}
