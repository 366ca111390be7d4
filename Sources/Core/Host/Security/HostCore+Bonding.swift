internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// Bonds as pairings make them, and as connections change them.
extension HostCore {
    mutating func removeBond(_ peer: DeviceAddress, at now: Instant, into actions: inout HostActions)
        throws(BondStoreError)
    {
        guard bond(with: peer) != nil else { return }
        try forgetBond(with: peer, at: now, into: &actions)
        noteBonds()
        for slot in 0..<links.slotCount where isKnownOpen(slot) && links[slot].knownPeer == peer {
            links[slot].security.lastKey = nil
            links[slot].security.lastKeyMadeBond = false
            links[slot].isBonded = false
            setProven(false, slot)
            updateSecurity(slot)
            try? disconnect(links[slot].id, at: now, into: &actions)
        }
        emit(.bondRemoved(peer), into: &actions)
    }

    /// The bond with the peer of a link.
    func bond(of slot: Int) -> Bond? { bond(with: links[slot].knownPeer) }

    /// Whether there is a connection in a slot, and the application knows of it.
    func isKnownOpen(_ slot: Int) -> Bool { links.isOpen(slot) && links[slot].control.isAnswered }

    /// Lets the Security Manager know which bonds there are.
    mutating func noteBonds() {
        security.resources.bonds = bonds.known.compactMap { bond in
            bond.strength.map { PairingResources.BondStrength(peer: bond.peer, key: $0) }
        }
    }

    /// Whether a key is that of the bond with the peer, or the one that a pairing on this connection has made it with.
    func isKeyOfBond(_ key: LongTermKey, _ slot: Int) -> Bool {
        if links[slot].security.lastKeyMadeBond, key == links[slot].security.lastKey { return true }
        guard let bonded = bond(of: slot)?.key(as: links[slot].role) else { return false }
        return key == bonded
    }

    /// A pairing is complete. Its bond counts once it is saved.
    mutating func pairingFinished(
        _ slot: Int,
        _ result: PairingResult,
        at now: Instant,
        into actions: inout HostActions
    ) {
        var result = result
        links[slot].security.lastKey = result.linkKey
        links[slot].security.lastKeyMadeBond = false
        if let bond = newBond(slot, result) {
            do throws(BondStoreError) {
                try keep(bond, at: now, into: &actions)
                noteBonds()
                links[slot].peerIdentity = bond.peer
                links[slot].isBonded = true
                links[slot].security.lastKeyMadeBond = true
                links[slot].security.hasLostBond = false
                endProofs(ofBondWith: bond.peer, except: slot)
                setProven(links[slot].security.key == result.linkKey, slot)
                emit(.bondSaved(bond), into: &actions)
            } catch {
                result.isBonded = false
                emit(.bondStoreFailed(error), into: &actions)
            }
        }
        updateSecurity(slot)
        emit(.paired(links[slot].id, result), into: &actions)
    }

    /// The bond is another one than it was: on other connections it takes the new key to be the one that it is with.
    private mutating func endProofs(ofBondWith peer: DeviceAddress, except slot: Int) {
        for other in 0..<links.slotCount where other != slot && isKnownOpen(other) && links[other].knownPeer == peer {
            links[other].security.lastKeyMadeBond = false
            setProven(links[other].security.key.map { isKeyOfBond($0, other) } ?? false, other)
            updateSecurity(other)
        }
    }

    /// What a pairing leaves to be kept; nil if that is nothing.
    private func newBond(_ slot: Int, _ result: PairingResult) -> Bond? {
        let peer = links[slot].peer
        let old = bond(of: slot)
        var result = result
        if result.peerIdentity == nil, let old, old.peer != peer {
            // A peer that was recognised by its resolving key has to be recognised again.
            result.peerIdentity = old.peer
            result.peerIdentityResolvingKey = result.peerIdentityResolvingKey ?? old.peerIdentityResolvingKey
        }
        // Whoever is bonded with the same device knows its key. As theirs, too, it would make its addresses theirs.
        let identity = result.peerIdentity ?? peer
        if let key = result.peerIdentityResolvingKey,
            bonds.known.contains(where: { $0.peer != identity && $0.peerIdentityResolvingKey == key })
        {
            result.peerIdentityResolvingKey = nil
        }
        return Bond(
            result,
            local: controller.findings.identity.address,
            peer: peer,
            name: old?.name,
            clientRecord: att.clientRecord(of: links[slot])
        )
    }

    // MARK: What clients have set

    /// The peer is the one that the bond is with: it gets back what it had set. Core 6.0, Vol 3, Part G, 2.5.2 and
    /// 3.3.3.3.
    mutating func restoreClient(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        guard !links[slot].security.hasRestoredClient, let bond = bond(of: slot) else { return }
        links[slot].security.hasRestoredClient = true
        att.restore(bond.clientRecord, of: &links[slot], at: now, into: &attActions)
        carryOutATT(slot, at: now, into: &actions)
    }

    /// A client has set something that outlives the connection if there is a bond. Only what has come from the peer
    /// itself gets into its bond.
    mutating func keepClient(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        guard links[slot].security.isProven, var bond = bond(of: slot) else { return }
        let record = att.clientRecord(of: links[slot])
        guard record != bond.clientRecord else { return }
        bond.clientRecord = record
        save(bond, at: now, into: &actions)
    }

    /// Values are gone: no bond remembers that its peer has subscribed to them, since others may get their handles.
    mutating func forgetSubscriptions(
        in range: ClosedRange<AttributeHandle>,
        at now: Instant,
        into actions: inout HostActions
    ) {
        for var bond in bonds.known where bond.clientRecord.subscriptions.contains(where: { range.contains($0.value) })
        {
            bond.clientRecord.subscriptions.removeAll { range.contains($0.value) }
            save(bond, at: now, into: &actions)
        }
    }

    /// Keeps a bond that has changed; false, and an event for the application, if that is not possible.
    @discardableResult
    mutating func save(_ bond: Bond, at now: Instant, into actions: inout HostActions) -> Bool {
        do throws(BondStoreError) {
            try keep(bond, at: now, into: &actions)
            return true
        } catch {
            emit(.bondStoreFailed(error), into: &actions)
            return false
        }
    }
}
