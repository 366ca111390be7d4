import VirtualTime

@testable import Host

/// Steps of the machine behind a host, for tests that set out from its middle.
extension Host {
    func keep(_ bond: Bond, at now: Instant, into actions: inout HostActions) throws(BondStoreError) {
        try enter(at: now, into: &actions) { core, actions throws(BondStoreError) in
            try core.keep(bond, at: now, into: &actions)
        }
    }

    func hasRoom(slot: Int) -> Bool { change { core in core.hasRoom(slot: slot) } }

    func hasRoom(on connection: ConnectionID) -> Bool { change { core in core.hasRoom(on: connection) } }

    func sendATT(
        _ buffer: [UInt8],
        on connection: ConnectionID,
        at now: Instant,
        into actions: inout HostActions
    ) {
        enter(at: now, into: &actions) { core, actions in
            core.sendATT(buffer, on: connection, at: now, into: &actions)
        }
    }

    func send(_ buffer: [UInt8], onATT slot: Int, into actions: inout HostActions) {
        enter(at: .zero, into: &actions) { core, actions in
            core.send(buffer, on: .attribute, slot: slot, into: &actions)
        }
    }
}
