import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime

/// A host that is lied to: between it and its controller somebody changes the answer to its wish for a channel, so that
/// it believes it may send more than the peer has allowed. On the air it is a device that breaks the rules.
final class HostileHost: HostApplication {
    /// What the answer is made to say.
    struct Lie {
        var mtu: UInt16?
        var mps: UInt16?
        var credits: UInt16?
    }

    let world: World
    private let lie: Lie
    private let psm: UInt16
    private(set) var device: DeviceID!
    private var controller: DeviceID!
    private(set) var connection: ConnectionID?
    private(set) var closed: ChannelCloseReason?
    private(set) var result: ProcedureResult?

    init(in world: World, _ lie: Lie, psm: UInt16) {
        self.world = world
        self.lie = lie
        self.psm = psm
        controller = world.addController(named: "hostile controller") { [unowned self] packet in
            let packet = twist(packet)
            world.schedule(at: world.now) { $0.receive(hci: packet, for: self.device) }
        }
        device = world.addHost(named: "hostile host", application: self) { [unowned self] packet in
            world.schedule(at: world.now) { $0.receive(hci: packet, for: self.controller) }
        }
    }

    /// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP, in one piece: H4, ACL header, L2CAP header, code, identifier, length; then
    /// destination, MTU, MPS, credits, result. Core 6.0, Vol 3, Part A, 4.23.
    private func twist(_ packet: [UInt8]) -> [UInt8] {
        guard packet.count == 23, packet[0] == 2, packet[7] == 5, packet[8] == 0, packet[9] == 0x15 else {
            return packet
        }
        var packet = packet
        for (place, value) in [(15, lie.mtu), (17, lie.mps), (19, lie.credits)] {
            guard let value else { continue }
            packet[place] = UInt8(truncatingIfNeeded: value)
            packet[place + 1] = UInt8(value >> 8)
        }
        return packet
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .connected(let description): connection = description.id
        case .disconnected: connection = nil
        case .channel(.opened(let channel)):
            // As much as the host takes, which is more than the peer wants.
            let sdu = [UInt8](repeating: 0xAA, count: min(channel.peerMTU, 8_000))
            while (try? host.send(sdu, on: channel.id, at: now, into: &actions)) == true {}
        case .channel(.closed(_, let reason)): closed = reason
        case .client(.procedureCompleted(_, _, let result)): self.result = result
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    func connect(to peer: DeviceID) {
        world.perform(on: device) { host, now, actions in
            try? host.connect(to: world.publicAddress(of: peer)!, at: now, into: &actions)
        }
    }

    func open() {
        world.perform(on: device) { host, now, actions in
            guard let connection, let spsm = SPSM(rawValue: psm) else { return }
            var options = ChannelOptions()
            options.sendBuffer = 400_000
            _ = try? host.openChannel(connection, to: spsm, options, at: now, into: &actions)
        }
    }

    /// Whether the phone still answers.
    func askForName() {
        world.perform(on: device) { host, now, actions in
            guard let connection else { return }
            _ = try? host.readByUUID(connection, .deviceName, at: now, into: &actions)
        }
    }
}
