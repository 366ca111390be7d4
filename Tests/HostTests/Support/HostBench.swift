import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime

/// A host on a scripted controller, with what it said.
struct HostBench {
    let host: Host
    var controller: ScriptedController
    private(set) var now = Instant.zero
    /// News since the last `takeEvents`.
    private var events: [HostEvent] = []
    /// Packets on their way to the controller that the test holds back.
    private(set) var held: [[UInt8]] = []
    var holdsPackets = false

    init(
        _ controller: ScriptedController = ScriptedController(),
        bonds: any BondStore = MemoryBondStore(),
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) {
        var configuration = HostConfiguration(seed: 7)
        configure(&configuration)
        host = Host(configuration: configuration, bonds: bonds)
        self.controller = controller
    }

    /// A bench whose host is up and whose controller has forgotten how that came about.
    static func up(
        _ controller: ScriptedController = ScriptedController(),
        bonds: any BondStore = MemoryBondStore(),
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) -> Self {
        var bench = Self(controller, bonds: bonds, configure: configure)
        bench.powerOn()
        bench.controller.forget()
        _ = bench.takeEvents()
        return bench
    }

    mutating func powerOn() { order { host, now, actions in host.powerOn(at: now, into: &actions) } }

    /// Gives the host an order, and lets controller and host talk until both are silent.
    mutating func order<Failure: Error>(
        _ body: (Host, Instant, inout HostActions) throws(Failure) -> Void
    ) throws(Failure) {
        var actions = HostActions()
        try body(host, now, &actions)
        settle(actions)
    }

    /// Something the controller reports by itself.
    mutating func report(_ event: Event) { receive(event.packet()) }

    /// Bytes from the controller, whatever they are.
    mutating func receive(_ packet: [UInt8]) {
        var actions = HostActions()
        host.receive(hci: packet, at: now, into: &actions)
        settle(actions)
    }

    /// Lets time pass, deadline by deadline.
    mutating func run(for span: TimeSpan) {
        let end = now + span
        while let deadline = host.nextDeadline, deadline <= end {
            now = max(now, deadline)
            var actions = HostActions()
            host.expire(at: now, into: &actions)
            settle(actions)
        }
        now = end
    }

    /// Lets the packets held back go to the controller.
    mutating func release() {
        holdsPackets = false
        var actions = HostActions()
        swap(&actions.packets, &held)
        settle(actions)
    }

    /// Lets the first of the packets held back go to the controller; what the host says to the answer is held back too.
    mutating func releaseOne() {
        guard !held.isEmpty else { return }
        for answer in controller.receive(held.removeFirst()) { receive(answer) }
    }

    /// The news since the last call.
    mutating func takeEvents() -> [HostEvent] {
        defer { events = [] }
        return events
    }

    private mutating func settle(_ first: HostActions) {
        var actions = first
        while true {
            events += actions.events
            let packets = actions.packets
            actions = HostActions()
            guard !packets.isEmpty else { return }
            if holdsPackets {
                held += packets
                return
            }
            for packet in packets {
                for answer in controller.receive(packet) { host.receive(hci: answer, at: now, into: &actions) }
            }
        }
    }

    // MARK: Connections

    /// The controller reports a connection.
    mutating func connectionComplete(
        handle: UInt16 = 0x40,
        role: ConnectionRole = .peripheral,
        peer: DeviceAddress = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random),
        status: ControllerError = .success
    ) {
        let complete = LEConnectionComplete(
            status: status,
            connection: ConnectionHandle(rawValue: handle)!,
            role: role,
            peer: PeerAddress(peer),
            interval: 24,
            latency: 0,
            supervisionTimeout: 72
        )
        report(.leConnectionComplete(complete))
    }

    /// A connection in place, its events taken.
    mutating func connected(
        handle: UInt16 = 0x40,
        role: ConnectionRole = .peripheral,
        peer: DeviceAddress = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random)
    ) -> ConnectionID {
        connectionComplete(handle: handle, role: role, peer: peer)
        let id = takeEvents().compactMap { if case .connected(let description) = $0 { description.id } else { nil } }
        controller.forget()
        return id[0]
    }

    mutating func disconnectionComplete(_ connection: ConnectionID, reason: ControllerError) {
        let complete = DisconnectionComplete(connection: connection.handle, reason: reason)
        report(.disconnectionComplete(complete))
    }

    /// An L2CAP frame from the peer in one ACL data packet.
    mutating func receiveFrame(_ payload: [UInt8], channel: UInt16, on connection: ConnectionID) {
        var frame: [UInt8] = []
        frame.append(UInt8(payload.count & 0xFF))
        frame.append(UInt8(payload.count >> 8))
        frame.append(UInt8(channel & 0xFF))
        frame.append(UInt8(channel >> 8))
        receiveFragment(frame + payload, boundary: .firstFlushable, on: connection)
    }

    mutating func receiveFragment(_ bytes: [UInt8], boundary: PacketBoundary, on connection: ConnectionID) {
        var packet: [UInt8] = []
        ACLHeader(handle: connection.handle, boundary: boundary, dataLength: bytes.count).write(to: &packet)
        receive(packet + bytes)
    }
}
