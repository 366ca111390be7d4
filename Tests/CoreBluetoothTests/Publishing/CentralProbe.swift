import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatSimulation
import BluethroatVirtualTime

/// A host of our own in front of a phone: finds it, connects, and keeps the bytes that go to and fro.
final class CentralProbe: HostApplication, WorldTap {
    let world: World
    private(set) var device: DeviceID!
    private(set) var reports: [AdvertisingReport] = []
    private(set) var connection: ConnectionID?
    private(set) var result: ProcedureResult?
    private(set) var notifications: [[UInt8]] = []
    private(set) var indications: [[UInt8]] = []
    private(set) var parameters: ConnectionParameters?
    private(set) var isEncrypted = false
    /// ATT PDUs of up to 27 bytes or so, as they pass between this host and its controller.
    private(set) var sent: [[UInt8]] = []
    private(set) var received: [[UInt8]] = []

    /// - Parameter address: nil for one of its own.
    init(in world: World, named name: String = "central", at address: DeviceAddress? = nil) {
        self.world = world
        let controller = address.map { ControllerConfiguration(publicAddress: $0) }
        device = world.addDevice(named: name, controller: controller, application: self)
        world.tap = self
        world.run(for: .milliseconds(100))
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .advertisingReport(let report): reports.append(report)
        case .connected(let description): connection = description.id
        case .disconnected: connection = nil
        case .client(.procedureCompleted(_, _, let result)): self.result = result
        case .client(.notificationReceived(_, _, let value, let isIndication)):
            if isIndication { indications.append(value) } else { notifications.append(value) }
        case .parametersChanged(_, let parameters): self.parameters = parameters
        case .security(.encryptionChanged(_, let security)): isEncrypted = security.isEncrypted
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        // H4, ACL header, L2CAP header, then ATT.
        guard device == self.device, packet.count > 9, packet[0] == 2, packet[7] == 4, packet[8] == 0 else { return }
        if fromHost { sent.append(Array(packet[9...])) } else { received.append(Array(packet[9...])) }
    }

    func forget() {
        sent = []
        received = []
        notifications = []
        indications = []
    }

    // MARK: Orders

    /// What it hears within two seconds: the last advertisement and the last scan response.
    func scan() throws -> (advertisement: [UInt8], scanResponse: [UInt8]) {
        reports = []
        try world.perform(on: device) { host, now, actions in
            try host.startScanning(ScanParameters(), at: now, into: &actions)
        }
        world.run(for: .seconds(2))
        try world.perform(on: device) { host, now, actions in try host.stopScanning(at: now, into: &actions) }
        world.run(for: .milliseconds(100))
        return (
            reports.last { $0.kind != .scanResponse }?.data ?? [], reports.last { $0.kind == .scanResponse }?.data ?? []
        )
    }

    /// Whether it hears a device within ten seconds.
    func hears(_ peer: DeviceID) throws -> Bool { try !heard(from: peer, for: .seconds(10)).isEmpty }

    /// What it hears of a device.
    func heard(from peer: DeviceID, for span: TimeSpan) throws -> [AdvertisingReport] {
        reports = []
        try world.perform(on: device) { host, now, actions in
            try host.startScanning(ScanParameters(), at: now, into: &actions)
        }
        world.run(for: span)
        try world.perform(on: device) { host, now, actions in try host.stopScanning(at: now, into: &actions) }
        world.run(for: .milliseconds(100))
        return reports.filter { $0.address == world.publicAddress(of: peer) }
    }

    func connect(to peer: DeviceID) throws {
        try world.perform(on: device) { host, now, actions in
            try host.connect(to: world.publicAddress(of: peer)!, at: now, into: &actions)
        }
        world.run(for: .seconds(5)) { connection != nil }
        world.run(for: .seconds(1))
    }

    func disconnect() throws {
        try world.perform(on: device) { host, now, actions in
            try host.disconnect(connection!, at: now, into: &actions)
        }
        world.run(for: .seconds(1))
    }

    /// Carries out an order to the host and waits for what comes of it.
    @discardableResult
    func ask(
        for limit: TimeSpan = .seconds(5),
        _ order: (Host, ConnectionID, Instant, inout HostActions) throws -> ProcedureID
    ) throws -> ProcedureResult? {
        result = nil
        guard let connection else { return nil }
        try world.perform(on: device) { host, now, actions in _ = try order(host, connection, now, &actions) }
        world.run(for: limit) { result != nil }
        return result
    }

    func database() throws -> RemoteDatabase {
        let found = try ask { try $0.discoverAll($1, at: $2, into: &$3) }
        if case .database(let database) = found { return database }
        return RemoteDatabase()
    }

    func read(_ characteristic: RemoteCharacteristic) throws -> ProcedureResult? {
        try ask { try $0.read($1, characteristic.valueHandle, at: $2, into: &$3) }
    }

    func write(_ value: [UInt8], _ characteristic: RemoteCharacteristic) throws -> ProcedureResult? {
        try ask { try $0.write(value, $1, characteristic.valueHandle, at: $2, into: &$3) }
    }

    func command(_ value: [UInt8], _ characteristic: RemoteCharacteristic) throws {
        try world.perform(on: device) { host, now, actions in
            _ = try host.writeCommand(value, connection!, characteristic.valueHandle, at: now, into: &actions)
        }
        world.run(for: .seconds(1))
    }

    func subscribe(_ characteristic: RemoteCharacteristic, _ kind: Subscription = .notifications) throws
        -> ProcedureResult?
    { try ask { try $0.subscribe($1, to: characteristic, kind, at: $2, into: &$3) } }

    func loseBonds() throws {
        try world.perform(on: device) { host, now, actions in
            for bond in host.bonds { try host.removeBond(bond.peer, at: now, into: &actions) }
        }
    }

    func pair() throws {
        isEncrypted = false
        try world.perform(on: device) { host, now, actions in try host.pair(connection!, at: now, into: &actions) }
        world.run(for: .seconds(10)) { isEncrypted }
        world.run(for: .seconds(1))
    }
}
