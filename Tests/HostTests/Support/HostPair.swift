import BluetoothValues
import ByteCoding
import HCI
import Host
import VirtualTime

/// Two hosts back to back: each on a controller of its own, and the controllers joined by nothing but a list of
/// packets. There is no air in between; what one sends the other has.
struct HostPair {
    /// One end.
    struct End {
        let host: Host
        var controller: ScriptedController
        var events: [HostEvent] = []
        var isAdvertising = false
        var advertisingData: [UInt8] = []
        var scanResponse: [UInt8] = []
        var isScanning = false
        var isInitiating = false
    }

    var central: End
    var peripheral: End
    private(set) var now = Instant.zero
    /// The handle of the connection, one at a time, the same at both ends.
    private var handle: UInt16 = 0x0F
    private var isConnected = false
    /// Whether the air loses everything.
    var isOutOfRange = false

    static let centralAddress = DeviceAddress(value: 0x1234_5678_9ABC, kind: .public)
    static let peripheralAddress = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)

    /// Both hosts up. `packetLength` and `packetCount` are the buffers of each controller.
    init(
        packetLength: UInt16 = 27,
        packetCount: UInt8 = 4,
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) {
        func end(_ device: UInt64, _ address: DeviceAddress) -> End {
            var configuration = HostConfiguration(seed: 7, device: device)
            configure(&configuration)
            let buffers = LEReadBufferSizeReturn(aclDataLength: packetLength, aclPacketCount: packetCount)
            return End(
                host: Host(configuration: configuration),
                controller: ScriptedController(publicAddress: address, lePackets: buffers)
            )
        }
        central = end(1, Self.centralAddress)
        peripheral = end(2, Self.peripheralAddress)
        order(\.central) { host, now, actions in host.powerOn(at: now, into: &actions) }
        order(\.peripheral) { host, now, actions in host.powerOn(at: now, into: &actions) }
    }

    /// Gives one of the hosts an order and lets both talk until all is quiet.
    @discardableResult
    mutating func order<Answer, Failure: Error>(
        _ end: WritableKeyPath<HostPair, End>,
        _ body: (Host, Instant, inout HostActions) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        var actions = HostActions()
        let answer = try body(self[keyPath: end].host, now, &actions)
        settle(end, actions)
        return answer
    }

    /// Lets time pass.
    mutating func run(for span: TimeSpan) {
        let limit = now + span
        while let deadline = [central.host.nextDeadline, peripheral.host.nextDeadline].compactMap({ $0 }).min(),
            deadline <= limit
        {
            now = max(now, deadline)
            order(\.central) { host, now, actions in host.expire(at: now, into: &actions) }
            order(\.peripheral) { host, now, actions in host.expire(at: now, into: &actions) }
        }
        now = limit
    }

    /// The news of one end since the last call.
    mutating func takeEvents(_ end: WritableKeyPath<HostPair, End>) -> [HostEvent] {
        defer { self[keyPath: end].events = [] }
        return self[keyPath: end].events
    }

    /// Both ends of a new connection.
    mutating func connect() throws(OrderError) -> (central: ConnectionID, peripheral: ConnectionID) {
        try order(\.peripheral) { host, now, actions throws(OrderError) in
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
            let name = AdvertisingData([.completeLocalName("Keyfobdemo")])
            try host.startAdvertising(parameters, scanResponse: name, at: now, into: &actions)
        }
        try order(\.central) { host, now, actions throws(OrderError) in
            try host.connect(to: Self.peripheralAddress, at: now, into: &actions)
        }
        func connection(_ events: [HostEvent]) -> ConnectionID {
            for case .connected(let description) in events { return description.id }
            preconditionFailure("not connected")
        }
        return (connection(takeEvents(\.central)), connection(takeEvents(\.peripheral)))
    }

    /// The supervision timeout of both ends.
    mutating func loseConnection() {
        disconnect(.connectionTimeout, .connectionTimeout)
    }

    // MARK: Between the hosts

    /// Packets on their way: to which end, and whether to its host or its controller.
    private var toHosts: [(WritableKeyPath<HostPair, End>, [UInt8])] = []

    private mutating func settle(_ end: WritableKeyPath<HostPair, End>, _ actions: HostActions) {
        carry(end, actions)
        var next = 0
        while next < toHosts.count {
            let (end, packet) = toHosts[next]
            next += 1
            var actions = HostActions()
            self[keyPath: end].host.receive(hci: packet, at: now, into: &actions)
            carry(end, actions)
            if next == 256 {
                toHosts.removeFirst(next)
                next = 0
            }
        }
        toHosts = []
    }

    private mutating func carry(_ end: WritableKeyPath<HostPair, End>, _ actions: HostActions) {
        self[keyPath: end].events += actions.events
        for packet in actions.packets {
            if packet[0] == PacketIndicator.acl.rawValue {
                data(packet, from: end)
            } else {
                for answer in self[keyPath: end].controller.receive(packet) { toHosts.append((end, answer)) }
                if let command = self[keyPath: end].controller.commands.last { obey(command, end) }
                self[keyPath: end].controller.forget()
            }
        }
    }

    private func other(_ end: WritableKeyPath<HostPair, End>) -> WritableKeyPath<HostPair, End> {
        end == \.central ? \.peripheral : \.central
    }

    private mutating func report(_ event: Event, to end: WritableKeyPath<HostPair, End>) {
        toHosts.append((end, event.packet()))
    }

    private mutating func data(_ packet: [UInt8], from end: WritableKeyPath<HostPair, End>) {
        precondition(
            packet.count - 5 <= Int(self[keyPath: end].controller.lePackets.aclDataLength),
            "longer than the controller takes"
        )
        guard isConnected, !isOutOfRange else { return }
        var packet = packet
        // What the host calls the first packet of a frame, the controller at the other end calls automatically
        // flushable.
        if packet[2] & 0x30 == 0 { packet[2] |= 0x20 }
        toHosts.append((other(end), packet))
        let completed = CompletedPackets(connection: ConnectionHandle(rawValue: handle)!, count: 1)
        report(.numberOfCompletedPackets(NumberOfCompletedPackets(completed: [completed])), to: end)
    }

    private mutating func obey(_ command: Command, _ end: WritableKeyPath<HostPair, End>) {
        switch command {
        case .leSetAdvertisingData(let set): self[keyPath: end].advertisingData = set.data
        case .leSetScanResponseData(let set): self[keyPath: end].scanResponse = set.data
        case .leSetAdvertisingEnable(let set): self[keyPath: end].isAdvertising = set.isEnabled
        case .leSetScanEnable(let set): self[keyPath: end].isScanning = set.isEnabled
        case .leCreateConnection: self[keyPath: end].isInitiating = true
        case .leCreateConnectionCancel:
            guard self[keyPath: end].isInitiating else { return }
            self[keyPath: end].isInitiating = false
            connectionComplete(end, status: .unknownConnectionIdentifier)
        case .leConnectionUpdate(let update):
            for end in [\HostPair.central, \.peripheral] {
                let complete = LEConnectionUpdateComplete(
                    connection: update.connection,
                    interval: update.minimumInterval,
                    latency: update.maximumLatency,
                    supervisionTimeout: update.supervisionTimeout
                )
                report(.leConnectionUpdateComplete(complete), to: end)
            }
        case .disconnect(let command):
            if end == \.central {
                disconnect(.connectionTerminatedByLocalHost, command.reason)
            } else {
                disconnect(command.reason, .connectionTerminatedByLocalHost)
            }
        default: break
        }
        meet()
    }

    /// Whoever advertises is heard by whoever scans, and found by whoever wants to connect.
    private mutating func meet() {
        guard peripheral.isAdvertising, !isOutOfRange else { return }
        if central.isScanning {
            for (type, data) in [
                (AdvertisingReportType.connectable, peripheral.advertisingData),
                (.scanResponse, peripheral.scanResponse),
            ] {
                let report = LEAdvertisingReport.Report(
                    type: type,
                    peer: PeerAddress(Self.peripheralAddress),
                    data: data,
                    rssi: SignalStrength(dBm: -40)
                )
                self.report(.leAdvertisingReport(LEAdvertisingReport(reports: [report])), to: \.central)
            }
        }
        if central.isInitiating, !isConnected {
            central.isInitiating = false
            peripheral.isAdvertising = false
            isConnected = true
            handle += 1
            connectionComplete(\.central, status: .success)
            connectionComplete(\.peripheral, status: .success)
        }
    }

    private mutating func connectionComplete(_ end: WritableKeyPath<HostPair, End>, status: ControllerError) {
        let isCentral = end == \.central
        let complete = LEConnectionComplete(
            status: status,
            connection: ConnectionHandle(rawValue: handle)!,
            role: isCentral ? .central : .peripheral,
            peer: PeerAddress(isCentral ? Self.peripheralAddress : Self.centralAddress),
            interval: 24,
            latency: 0,
            supervisionTimeout: 72
        )
        report(.leConnectionComplete(complete), to: end)
    }

    private mutating func disconnect(_ central: ControllerError, _ peripheral: ControllerError) {
        guard isConnected else { return }
        isConnected = false
        for (end, reason) in [(\HostPair.central, central), (\.peripheral, peripheral)] {
            let complete = DisconnectionComplete(connection: ConnectionHandle(rawValue: handle)!, reason: reason)
            report(.disconnectionComplete(complete), to: end)
        }
    }
}
