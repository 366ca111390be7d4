public import BluetoothValues
import Host
import VirtualTime

/// Keeps what is not told, for those who wonder why.
extension BluetoothService {
    /// Notes by which rule an app is not told of what was heard, if it looks for it.
    func noteHidden(_ peer: Int, from client: Int, at now: Instant) {
        // First what costs little: most of what is heard is hidden from nobody.
        guard let scan = central.clients[client].scan, let rule = hidingRule(scan, of: client) else { return }
        let advertisement = central.peers[peer].advertisingData
        guard let area = OverflowArea(in: advertisement) else { return }
        let bits = central.clients[client].overflowBits
        guard bits.isEmpty || bits.contains(where: { area.contains(bit: $0) }) else { return }
        // Whoever sends services beside the mask is on its screen.
        let isExact = rule == .noRanging && advertisement.serviceUUIDs.isEmpty
        central.hidden.note(
            isExact ? .bothInBackground : rule,
            of: central.peers[peer].address,
            from: central.clients[client].app,
            at: now
        )
    }

    private func hidingRule(_ scan: ScanRequest, of client: Int) -> HiddenReport.Rule? {
        let app = record(of: central.clients[client].app)
        let isOnScreen = app.state == .foreground
        if !isOnScreen, !goesOn(central.clients[client].id) { return .noScan }
        if scan.services?.isEmpty != false { return .noServicesListed }
        if !isScreenOn { return .darkScreen }
        return isOnScreen || app.rangesBeacons ? nil : .noRanging
    }
}

extension BluetoothService {
    /// Whom apps mean by a name: the address, or the identity, by which the peer was named last.
    public func address(of peer: PeerID) -> DeviceAddress? { names.address(of: peer) }

    /// Whether the link to a peer is encrypted; false where there is no link. The phone knows it, apps cannot ask.
    public func isLinkEncrypted(to peer: PeerID) -> Bool {
        guard let address = names.address(of: peer), let known = central.peers.index(of: address),
            let link = central.link(to: known)
        else { return false }
        return central.links[link].isEncrypted
    }
}
