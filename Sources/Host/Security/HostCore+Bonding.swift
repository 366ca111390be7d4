internal import BluetoothCrypto
internal import BluetoothValues
internal import VirtualTime

/// Bonds as pairings make them, and as connections change them.
extension HostCore {
    mutating func removeBond(_ peer: DeviceAddress, at now: Instant, into actions: inout HostActions)
        throws(BondStoreError)
    {
        guard bond(with: peer) != nil else { return }
        try forgetBond(with: peer, at: now, into: &actions)
        noteBonds()
        for index in security.links.indices where security[index].identity == peer {
            let id = security[index].id
            security[index].lastKey = nil
            security[index].lastKeyMadeBond = false
            security[index].isProven = false
            updateSecurity(index)
            if let slot = connections.slot(of: id) { connections[slot].isBonded = false }
            try? disconnect(id, at: now, into: &actions)
        }
        tell(.bondRemoved(peer), into: &actions)
    }

    /// The bond with the peer of a link.
    func bond(of link: SecuredLink) -> Bond? { bond(with: link.identity) }

    /// Lets the Security Manager know which bonds there are.
    mutating func noteBonds() {
        security.manager.resources.bonds = knownBonds.compactMap { bond in
            bond.strength.map { PairingResources.BondStrength(peer: bond.peer, key: $0) }
        }
    }

    /// Whether a key is that of the bond with the peer, or the one that a pairing on this connection has made it with.
    func isKeyOfBond(_ key: LongTermKey, _ index: Int) -> Bool {
        let link = security[index]
        if link.lastKeyMadeBond, key == link.lastKey { return true }
        guard let bonded = bond(of: link)?.key(as: link.role) else { return false }
        return key == bonded
    }

    /// A pairing is complete. Its bond counts once it is saved.
    mutating func pairingFinished(
        _ id: ConnectionID,
        _ result: PairingResult,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let index = security.index(of: id) else { return }
        var result = result
        security[index].lastKey = result.linkKey
        security[index].lastKeyMadeBond = false
        if let bond = newBond(index, result) {
            do throws(BondStoreError) {
                try keep(bond, at: now, into: &actions)
                noteBonds()
                security[index].identity = bond.peer
                security[index].lastKeyMadeBond = true
                security[index].hasLostBond = false
                security[index].isProven = security[index].key == result.linkKey
                if let slot = connections.slot(of: id) {
                    connections[slot].peerIdentity = bond.peer
                    connections[slot].isBonded = true
                }
                tell(.bondSaved(bond), into: &actions)
            } catch {
                result.isBonded = false
                tell(.bondStoreFailed(error), into: &actions)
            }
        }
        updateSecurity(index)
        tell(.paired(id, result), into: &actions)
    }

    /// What a pairing leaves to be kept; nil if that is nothing.
    private func newBond(_ index: Int, _ result: PairingResult) -> Bond? {
        let link = security[index]
        let old = bond(of: link)
        var result = result
        if result.peerIdentity == nil, let old, old.peer != link.peer {
            // A peer that was recognised by its resolving key has to be recognised again.
            result.peerIdentity = old.peer
            result.peerIdentityResolvingKey = result.peerIdentityResolvingKey ?? old.peerIdentityResolvingKey
        }
        return Bond(
            result,
            local: findings.identity.address,
            peer: link.peer,
            name: old?.name,
            clientRecord: att.clientRecord(of: link.id) ?? ClientRecord()
        )
    }

    // MARK: What clients have set

    /// The peer is the one that the bond is with: it gets back what it had set. Core 6.0, Vol 3, Part G, 2.5.2 and
    /// 3.3.3.3.
    mutating func restoreClient(_ index: Int, at now: Instant, into actions: inout HostActions) {
        let link = security[index]
        guard !link.hasRestoredClient, let bond = bond(of: link) else { return }
        security[index].hasRestoredClient = true
        att.restore(bond.clientRecord, of: link.id, at: now, into: &attActions)
        carryOutATT(at: now, into: &actions)
    }

    /// A client has set something that outlives the connection if there is a bond. Only what has come from the peer
    /// itself gets into its bond.
    mutating func keepClient(_ id: ConnectionID, at now: Instant, into actions: inout HostActions) {
        guard let index = security.index(of: id), security[index].isProven, var bond = bond(of: security[index]),
            let record = att.clientRecord(of: id), record != bond.clientRecord
        else { return }
        bond.clientRecord = record
        save(bond, at: now, into: &actions)
    }

    /// Keeps a bond that has changed; false, and told of, if that is not possible.
    @discardableResult
    mutating func save(_ bond: Bond, at now: Instant, into actions: inout HostActions) -> Bool {
        do throws(BondStoreError) {
            try keep(bond, at: now, into: &actions)
            return true
        } catch {
            tell(.bondStoreFailed(error), into: &actions)
            return false
        }
    }
}
