import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime

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
        var randomAddress = DeviceAddress(value: 0, kind: .random)
        /// Whether it connects under its random address.
        var showsRandomAddress = false
    }

    var central: End
    var peripheral: End
    private(set) var now = Instant.zero
    /// The handle of the connection, one at a time, the same at both ends.
    private var handle: UInt16 = 0x0F
    private var isConnected = false
    /// Whether the air loses everything.
    var isOutOfRange = false
    /// Whether the news of connecting can be taken afterwards.
    var keepsEvents = false
    /// What the controllers know of keys.
    var encryption = Encryption()

    /// How the controllers encrypt: the link is encrypted if the peripheral has the key that the central encrypts with.
    struct Encryption {
        /// The key in use, least significant byte first.
        var key: [UInt8]?
        /// What the central encrypts with, until the peripheral has answered.
        var ordered: [UInt8]?
        /// The connection is lost instead of this ACL data packet, counted down.
        var packetsLeft: Int?
        /// Whether the peripheral is never asked for its key.
        var isStuck = false
        /// ACL data packets that went over the air in the clear, and how many went encrypted.
        var inClear: [[UInt8]] = []
        var encryptedCount = 0
    }

    static let centralAddress = DeviceAddress(value: 0x1234_5678_9ABC, kind: .public)
    static let peripheralAddress = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)

    /// Both hosts up. `packetLength` and `packetCount` are the buffers of each controller.
    init(
        packetLength: UInt16 = 27,
        packetCount: UInt8 = 4,
        encrypts: Bool = false,
        stores: [any BondStore] = [MemoryBondStore(), MemoryBondStore()],
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) {
        func end(_ device: UInt64, _ address: DeviceAddress) -> End {
            var configuration = HostConfiguration(seed: 7, device: device)
            configure(&configuration)
            let buffers = LEReadBufferSizeReturn(aclDataLength: packetLength, aclPacketCount: packetCount)
            var controller = ScriptedController(publicAddress: address, lePackets: buffers)
            if encrypts { controller.supported = SupportedCommands(ScriptedController.usual + [.leEnableEncryption]) }
            return End(
                host: Host(configuration: configuration, bonds: stores[Int(device) - 1]),
                controller: controller
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

    static var bothEnds: [WritableKeyPath<HostPair, End>] { [\.central, \.peripheral] }

    /// Wakes both hosts at an instant.
    mutating func expire(at instant: Instant) {
        advance(to: instant)
        order(\.central) { host, now, actions in host.expire(at: now, into: &actions) }
        order(\.peripheral) { host, now, actions in host.expire(at: now, into: &actions) }
    }

    /// Lets time pass without waking a host.
    mutating func advance(to instant: Instant) { now = max(now, instant) }

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
        func connection(_ end: WritableKeyPath<HostPair, End>) -> ConnectionID {
            let events = keepsEvents ? self[keyPath: end].events : takeEvents(end)
            for case .connected(let description) in events.reversed() { return description.id }
            preconditionFailure("not connected")
        }
        return (connection(\.central), connection(\.peripheral))
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
        if let left = encryption.packetsLeft {
            encryption.packetsLeft = left > 0 ? left - 1 : nil
            guard left > 0 else { return loseConnection() }
        }
        if encryption.key == nil { encryption.inClear.append(packet) } else { encryption.encryptedCount += 1 }
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
        case .known(let set as LESetAdvertisingData): self[keyPath: end].advertisingData = set.data
        case .known(let set as LESetScanResponseData): self[keyPath: end].scanResponse = set.data
        case .known(let set as LESetAdvertisingEnable): self[keyPath: end].isAdvertising = set.isEnabled
        case .known(let set as LESetScanEnable): self[keyPath: end].isScanning = set.isEnabled
        case .known(let set as LESetRandomAddress): self[keyPath: end].randomAddress = set.address
        case .known(let create as LECreateConnection):
            self[keyPath: end].isInitiating = true
            self[keyPath: end].showsRandomAddress = create.ownAddressType == .random
        case .leCreateConnectionCancel:
            guard self[keyPath: end].isInitiating else { return }
            self[keyPath: end].isInitiating = false
            connectionComplete(end, status: .unknownConnectionIdentifier)
        case .known(let update as LEConnectionUpdate):
            for end in [\HostPair.central, \.peripheral] {
                let complete = LEConnectionUpdateComplete(
                    connection: update.connection,
                    interval: update.minimumInterval,
                    latency: update.maximumLatency,
                    supervisionTimeout: update.supervisionTimeout
                )
                report(.leConnectionUpdateComplete(complete), to: end)
            }
        case .known(let command as Disconnect):
            if end == \.central {
                disconnect(.connectionTerminatedByLocalHost, command.reason)
            } else {
                disconnect(command.reason, .connectionTerminatedByLocalHost)
            }
        case .known(let order as LEEnableEncryption):
            encryption.ordered = order.longTermKey
            guard !encryption.isStuck else { return }
            let request = LELongTermKeyRequest(
                connection: order.connection,
                random: order.random,
                encryptedDiversifier: order.encryptedDiversifier
            )
            report(.leLongTermKeyRequest(request), to: \.peripheral)
        case .known(let reply as LELongTermKeyRequestReply): encrypt(with: reply.longTermKey)
        case .known(is LELongTermKeyRequestNegativeReply): encrypt(with: nil)
        default: break
        }
        meet()
    }

    /// The peripheral has answered with its key, or has none.
    private mutating func encrypt(with key: [UInt8]?) {
        let connection = ConnectionHandle(rawValue: handle)!
        let wasEncrypted = encryption.key != nil
        guard let key else {
            encryption.ordered = nil
            if wasEncrypted { return disconnect(.pinOrKeyMissing, .connectionTerminatedByLocalHost) }
            let failure = EncryptionChange(status: .pinOrKeyMissing, connection: connection, isEncrypted: false)
            return report(.encryptionChange(failure), to: \.central)
        }
        guard key == encryption.ordered else {
            return disconnect(.connectionTerminatedMICFailure, .connectionTerminatedMICFailure)
        }
        encryption.key = key
        encryption.ordered = nil
        for end in [\HostPair.peripheral, \.central] {
            if wasEncrypted {
                report(.encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete(connection: connection)), to: end)
            } else {
                report(.encryptionChange(EncryptionChange(connection: connection, isEncrypted: true)), to: end)
            }
        }
    }

    /// Something that a controller reports by itself.
    mutating func inject(_ end: WritableKeyPath<HostPair, End>, _ event: (ConnectionHandle) -> Event) {
        report(event(ConnectionHandle(rawValue: handle)!), to: end)
        settle(end, HostActions())
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

    private var centralAddressOnAir: DeviceAddress {
        central.showsRandomAddress ? central.randomAddress : Self.centralAddress
    }

    private mutating func connectionComplete(_ end: WritableKeyPath<HostPair, End>, status: ControllerError) {
        let isCentral = end == \.central
        let complete = LEConnectionComplete(
            status: status,
            connection: ConnectionHandle(rawValue: handle)!,
            role: isCentral ? .central : .peripheral,
            peer: PeerAddress(isCentral ? Self.peripheralAddress : centralAddressOnAir),
            interval: 24,
            latency: 0,
            supervisionTimeout: 72
        )
        report(.leConnectionComplete(complete), to: end)
    }

    private mutating func disconnect(_ central: ControllerError, _ peripheral: ControllerError) {
        guard isConnected else { return }
        isConnected = false
        encryption.key = nil
        encryption.ordered = nil
        for (end, reason) in [(\HostPair.central, central), (\.peripheral, peripheral)] {
            let complete = DisconnectionComplete(connection: ConnectionHandle(rawValue: handle)!, reason: reason)
            report(.disconnectionComplete(complete), to: end)
        }
    }
}
