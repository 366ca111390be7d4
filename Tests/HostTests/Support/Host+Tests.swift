import BluethroatBluetoothValues
import BluethroatVirtualTime

@testable import BluethroatHost

/// Steps of the machine behind a host, for tests that set out from its middle.
extension Host {
    func keep(_ bond: Bond, at now: Instant, into actions: inout HostActions) throws(BondStoreError) {
        try enter(at: now, into: &actions) { core, actions throws(BondStoreError) in
            try core.keep(bond, at: now, into: &actions)
        }
    }

    func hasRoom(slot: Int) -> Bool { change { core in core.hasRoom(slot: slot) } }

    func hasRoom(on connection: ConnectionID) -> Bool {
        core.links.slot(of: connection).map { hasRoom(slot: $0) } ?? false
    }

    func sendATT(
        _ buffer: [UInt8],
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let slot = core.links.slot(of: connection) else { return }
        send(buffer, onATT: slot, into: &actions)
    }

    func send(_ buffer: [UInt8], onATT slot: Int, into actions: inout HostActions) {
        enter(at: .zero, into: &actions) { core, actions in
            core.send(buffer, on: .attribute, slot: slot, into: &actions)
        }
    }

    func isProven(_ connection: ConnectionID) -> Bool {
        core.links.slot(of: connection).map { core.links[$0].security.isProven } ?? false
    }

    /// A pairing is over: the link is encrypted by its key, and the peer has said who it is.
    func finishPairing(
        _ connection: ConnectionID,
        with key: LongTermKey,
        as identity: DeviceAddress,
        at now: Instant,
        into actions: inout HostActions
    ) {
        enter(at: now, into: &actions) { core, actions in
            guard let slot = core.links.slot(of: connection) else { return }
            core.links[slot].security.expect(key, for: .pairing)
            core.links[slot].security.accepted()
            _ = core.links[slot].security.encrypted()
            let result = PairingResult(
                method: .justWorks,
                isBonded: true,
                usesDebugKey: false,
                linkKey: key,
                keyAsCentral: key,
                keyAsPeripheral: key,
                peerIdentityResolvingKey: nil,
                peerIdentity: identity,
                peerSigningKey: nil,
                localSigningKey: nil,
                gaveIdentity: false
            )
            core.pairingFinished(slot, result, at: now, into: &actions)
        }
    }

    /// The slots of all links.
    var openSlots: [Int] { (0..<core.links.slotCount).filter { core.links.isOpen($0) } }

    /// Whether no link has a key, or is about to have one.
    var hasNoKeys: Bool {
        openSlots.allSatisfy { slot in
            core.links[slot].security.key == nil && core.links[slot].security.order == nil
        }
    }
}
